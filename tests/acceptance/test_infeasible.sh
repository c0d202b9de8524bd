#!/bin/bash
# The infeasible specs that take a minute, as tests/cli/test_infeasible.sh does those that take seconds.
here=$(cd "$(dirname "$0")/.." && pwd) || exit 1
INFEASIBLE=$here/specs/infeasible/slow exec "$here/cli/test_infeasible.sh"
