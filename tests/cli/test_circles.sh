#!/bin/sh
# scripts/circles: files that call each other in a circle are found, in tables of functions, too; names that only look
# like calls are none.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
circles=$(cd "$(dirname "$0")/../.." && pwd)/scripts/circles
work_apart
mkdir a b

cat >a/one.c <<'END'
#include "a/one.h"
int one(int x)
{
    return two(x);
}
END
cat >a/two.c <<'END'
#include "a/two.h"
static int (*const table[])(int) = { three };
int two(int x)
{
    return table[0](x);
}
END
cat >b/three.c <<'END'
#include "b/three.h"
static int one(int x)
{
    return x;                           /* one() and two() */
}

int three(int x)
{
    const struct two it = { .two = x };
    return one(it.two) + (int)sizeof "two()";
}
END
"$circles" a/one.c a/two.c b/three.c >out
report "calls in one direction" $?

printf 'int four(int x)\n{\n    return two(x);\n}\n' >b/circle.c
sed -i 's/three }/three, four }/' a/two.c
"$circles" a/one.c a/two.c b/three.c b/circle.c >out
[ $? -eq 1 ] && grep -q '^a/two calls b/circle$' out && grep -q '^b/circle calls a/two$' out && ! grep -q 'a/one calls' out
report "two files that call each other" $?

printf '#include "a/y.h"\n' >a/x.h
printf '#include "a/x.h"\n' >a/y.h
"$circles" a/x.h a/y.h >out
[ $? -eq 1 ] && grep -q 'include each other' out
report "two files that include each other" $?

echo "1..$n"
[ "$failures" -eq 0 ]
