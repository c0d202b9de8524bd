# make              build/cocp, the release variant
# make test         every test; make test SAN=1 the same under the address and undefined-behaviour sanitizers
# make bench acceptance fuzz          measurements (also: bench-scale, -sundials, -siconos, -casadi), the papers' results,
#                                     hostile input
# make torture                        kills, interrupts, full disks, little memory at random moments; specs with a change;
#                                     outputs onto inputs; edited certificates; TORTURE="--kills 9 ..."
# make study                          how many of some 900 problems are solved from the naive guess; STUDY="--set tune ..."
# make ablate                         what each mechanism of the search is worth, on rows of that study: tests/study/rules.tsv;
#                                     ABLATE="--only-cheap 5 repair gait"
# make layers headers tidy cppcheck   what holds the code together
# make install PREFIX=/usr/local DESTDIR=; make uninstall likewise; make deb: a Debian package of the Debian at hand
# make site                           build/site: these pages, to read and search without a network
# make wheel test-wheel               build/dist: a wheel for pip with all libraries inside, the source archive, what is inside; its tests
#
# WERROR=1 makes warnings errors (as .ci/run does). Each variant has its own folder below build/.

BUILD := build/$(if $(FUZZ),fuzz,$(if $(SAN),san,release))
PREFIX ?= /usr/local
CFLAGS ?= -O2 -g
PKG_CONFIG ?= pkg-config
FUZZ_SECONDS ?= 300

override CFLAGS += -std=c11 -I. -MMD -MP -Wall -Wextra -Wpedantic -Wshadow -Wvla \
                   -Wstrict-prototypes -Wmissing-prototypes -Wconversion -ffp-contract=off -pthread \
                   -fPIC -fvisibility=hidden
ifdef WERROR
override CFLAGS += -Werror
endif
ifdef SAN
override CFLAGS  += -fsanitize=address,undefined -fno-sanitize-recover=all -DARENA_PER_OBJECT
override LDFLAGS += -fsanitize=address,undefined
endif
ifdef FUZZ
override CFLAGS  += -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -DARENA_PER_OBJECT
override LDFLAGS += -fsanitize=fuzzer,address,undefined
endif

PACKAGES := ipopt hdf5 yaml-0.1 expat
# No build id: it would tell the folder of the build.
override LDFLAGS += -pthread -Wl,--build-id=none
override CFLAGS += $(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags $(PACKAGES)))
LIBS := $(shell $(PKG_CONFIG) --libs $(PACKAGES)) -lhdf5_hl -lsdp -lamd -ldmumps_seq -llapacke -llapack -lblas -lm

# Programs bring the reference BLAS and LAPACK along, for IPOPT too, whose calls come to what a program defines: those of the
# machine may be others, and their rounding leads nonconvex problems to other optima.
static_library = $(wildcard $(shell $(CC) -print-file-name=$(1)))
NETLIB := $(call static_library,liblapacke.a) $(call static_library,lapack/liblapack.a) $(call static_library,blas/libblas.a)
PROGRAM_LIBS := $(if $(filter 3,$(words $(NETLIB))),$(NETLIB) $(call static_library,libgfortran.so.5)) $(LIBS)

SRC     := $(wildcard core/*/*.c core/*/*/*.c transcription/*/*.c transcription/*/*/*.c)
CLI_SRC := $(wildcard cli/*.c cli/bounds/*.c cli/outputs/*.c cli/commands/*.c)
LIBRARY_SRC := $(wildcard library/*.c)
HEADERS := $(wildcard core/*/*.h core/*/*/*.h transcription/*/*.h transcription/*/*/*.h cli/*.h cli/*/*.h \
                      library/*.h)
ALL_SRC := $(SRC) $(CLI_SRC) $(LIBRARY_SRC) $(wildcard tests/*/*.c tests/unit/*/*.c)

# Faster products of matrices, in the place of those of the reference BLAS: for the program, not for the library, whose
# callers have their own.
PRODUCTS := $(BUILD)/core/sos/products.o
OBJ     := $(filter-out $(PRODUCTS),$(SRC:%.c=$(BUILD)/%.o))
TEMPLATES := $(wildcard cli/templates/*.yaml)
CLI_OBJ := $(CLI_SRC:%.c=$(BUILD)/%.o) $(BUILD)/cli/templates.o $(BUILD)/cli/report_page.o
LIB     := $(BUILD)/libcore.a
CLI_LIB := $(BUILD)/libcli.a
# The library: the commands as calls, for others to link.
LIBRARY_OBJ := $(LIBRARY_SRC:%.c=$(BUILD)/%.o)
STATIC  := $(BUILD)/libcocp.a
SONAME  := libcocp.so.0
SHARED  := $(BUILD)/$(SONAME)
LINES   := fold -s -w 79 | sed 's/ *$$//'
MANUAL  := $(BUILD)/cocp.1 $(BUILD)/cocp.5
PROGRAM := $(BUILD)/cocp
TESTS   := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/unit/*/test_*.c))
ACCEPTANCE := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/acceptance/*.c))
BENCHES := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/bench/*.c))
# Of the scripts, what is of use without the sources.
TOOLS   := $(filter-out scripts/bill_of_materials scripts/dependencies scripts/circles scripts/citations scripts/demo scripts/test scripts/bench \
             scripts/bench_solves scripts/bench_guess scripts/bench_scale scripts/bench_before scripts/steps.sh scripts/wheel scripts/site scripts/release \
             scripts/orders scripts/__pycache__, $(wildcard scripts/*))
FAULTS  := $(if $(SAN),,$(BUILD)/tests/torture/faults.so)
FUZZERS := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fuzz/fuzz_*.c))

.PHONY: all test torture test-slurm bench bench-scale bench-sundials bench-siconos bench-casadi acceptance study ablate fuzz fuzz-run layers headers tidy \
        cppcheck format install uninstall deb wheel test-wheel site clean
.SECONDARY:
.DELETE_ON_ERROR:

all: $(if $(SAN),$(PROGRAM),build/cocp $(SHARED) $(STATIC) $(MANUAL))

build/cocp: build/release/cocp
	ln -sf release/cocp $@

$(PROGRAM): $(CLI_OBJ) $(PRODUCTS) $(LIB)
	$(CC) $(LDFLAGS) $^ $(PROGRAM_LIBS) -o $@

# Made anew each time: a member whose source is gone must not stay.
$(LIB): $(OBJ)
	@rm -f $@
	ar rcs $@ $(OBJ)

$(STATIC): $(OBJ) $(CLI_OBJ) $(LIBRARY_OBJ)
	@rm -f $@
	ar rcs $@ $(filter-out %/main.o,$^)

$(SHARED): $(OBJ) $(CLI_OBJ) $(LIBRARY_OBJ)
	$(CC) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,-z,defs $(filter-out %/main.o,$^) $(LIBS) -o $@

# The manual: commands and options are what --help says, the spec is what the tables of its keys say.
$(BUILD)/cocp.1: cli/manual/cocp.1 cli/manual/page $(PROGRAM)
	cli/manual/page $(PROGRAM) | $(LINES) >$@

$(BUILD)/cocp.5: $(BUILD)/cli/manual/spec_page
	$< | $(LINES) >$@

$(BUILD)/cli/manual/spec_page: $(BUILD)/cli/manual/spec_page.o $(CLI_LIB) $(LIB)
	$(CC) $(LDFLAGS) $^ $(LIBS) -o $@

# Small dense kernels: 15 % of a factorization.
$(BUILD)/core/kkt/%.o: override CFLAGS += -O3
# Products of matrices: nine tenths of a semidefinite program.
$(PRODUCTS): override CFLAGS += -O3
# Likewise those of contacts: 17 % of the simulation of a robot.
$(BUILD)/core/contact/dense.o: override CFLAGS += -O3

# Expat of Debian 13 deprecates the line and column of what is read for functions that Debian 12 does not have.
$(BUILD)/core/robot/xml.o: override CFLAGS += -Wno-deprecated-declarations

# The specs of `cocp init` as texts of C, with the robot files that lie beside some of them.
$(BUILD)/cli/templates.c: $(TEMPLATES) $(wildcard cli/templates/*.urdf cli/templates/*.xml) Makefile
	@mkdir -p $(@D)
	@{ echo '#include "cli/templates.h"'; echo 'const struct template templates[] = {'; \
	  for t in $(TEMPLATES); do echo "{ \"$$(basename $$t .yaml)\","; \
	      sed 's/[\\"]/\\&/g; s/^/"/; s/$$/\\n"/' $$t; \
	      r=$$(ls $${t%.yaml}.urdf $${t%.yaml}.xml 2>/dev/null); \
	      if [ -z "$$r" ]; then echo ', 0, 0 },'; else echo ", \"$$(basename $$r)\","; \
	          sed 's/[\\"]/\\&/g; s/^/"/; s/$$/\\n"/' $$r; echo '},'; fi; done; echo '{ 0, 0, 0, 0 } };'; } >$@

# The page of `cocp report`, likewise.
$(BUILD)/cli/report_page.c: cli/report.html Makefile
	@mkdir -p $(@D)
	@{ echo '#include "cli/report_page.h"'; echo 'const char *const report_page[] = {'; \
	  sed 's/[\\"]/\\&/g; s/^/"/; s/$$/\\n",/' $<; echo '0 };'; } >$@

$(BUILD)/cli/templates.o $(BUILD)/cli/report_page.o: %.o: %.c
	$(CC) $(CFLAGS) -c $< -o $@

# The program without its main, for the tests of the command line.
$(CLI_LIB): $(CLI_OBJ)
	@rm -f $@
	ar rcs $@ $(filter-out %/main.o,$(CLI_OBJ))

$(BUILD)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c $< -o $@

# Sees every allocation.
$(BUILD)/tests/unit/numerics/test_kkt: override LDFLAGS += -Wl,--wrap=mem_alloc,--wrap=mem_resize
$(BUILD)/tests/unit/files/test_library: $(STATIC)
# Makes factorizations fail.
$(BUILD)/tests/unit/numerics/test_linear_solver: override LDFLAGS += -Wl,--wrap=kkt_create,--wrap=kkt_factorize,--wrap=kkt_solve

$(BUILD)/tests/unit/numerics/test_products: $(PRODUCTS)
$(BUILD)/tests/unit/%: $(BUILD)/tests/unit/%.o $(CLI_LIB) $(LIB)
	$(CC) $(LDFLAGS) $^ $(LIBS) -lcmocka -o $@

$(BUILD)/tests/acceptance/%: $(BUILD)/tests/acceptance/%.o $(LIB)
	$(CC) $(LDFLAGS) $^ $(LIBS) -lcmocka -o $@

$(BUILD)/tests/bench/%: $(BUILD)/tests/bench/%.o $(LIB)
	$(CC) $(LDFLAGS) $^ $(LIBS) -o $@

# Sees the linear systems of solves, which are read as the program reads them.
$(BUILD)/tests/bench/bench_kkt: $(BUILD)/tests/bench/bench_kkt.o $(filter-out %/main.o,$(CLI_OBJ)) $(LIB)
	$(CC) $(LDFLAGS) -Wl,--wrap=kkt_create,--wrap=kkt_factorize,--wrap=kkt_free $^ $(LIBS) -o $@

$(BUILD)/tests/fuzz/%: $(BUILD)/tests/fuzz/%.o $(LIB)
	$(CC) $(LDFLAGS) $^ $(LIBS) -o $@

# The corpora of the fuzzers, without a fuzzer.
REPLAYS := $(patsubst %.c,$(BUILD)/%.replay,$(wildcard tests/fuzz/fuzz_*.c))
$(BUILD)/tests/fuzz/%.replay: $(BUILD)/tests/fuzz/%.o $(BUILD)/tests/fuzz/replay.o $(LIB)
	$(CC) $(LDFLAGS) $^ $(LIBS) -o $@

# Sanitizers take six times as long.
test: all $(TESTS) $(FAULTS) $(REPLAYS)
	@$(if $(SAN),TEST_SECONDS=7200) COCP=$(CURDIR)/$(PROGRAM) \
	    FAULTS=$(addprefix $(CURDIR)/,$(FAULTS)) REPLAYS=$(CURDIR)/$(BUILD)/tests/fuzz \
	    tests/run $(wildcard tests/cli/test_*.sh) $(TESTS)

# Minutes to an hour; `tests/torture/run --help` tells the options that TORTURE may hold, `.../mutate --help` those of MUTATE.
torture: all $(FAULTS)
	@COCP=$(CURDIR)/$(PROGRAM) tests/torture/overwrite
	@COCP=$(CURDIR)/$(PROGRAM) tests/torture/certificates
	@COCP=$(CURDIR)/$(PROGRAM) FAULTS=$(addprefix $(CURDIR)/,$(FAULTS)) tests/torture/run $(TORTURE)
	@COCP=$(CURDIR)/$(PROGRAM) tests/torture/mutate $(MUTATE) problems/*.yaml cli/templates/*.yaml

# Preloaded into the program: makes calls of the system fail. The sanitizers want to be the first to be loaded.
$(FAULTS): tests/torture/faults.c
	@mkdir -p $(@D)
	$(CC) -O1 -Wall -Wextra -Werror -shared -fPIC $< -o $@

# Sweeps on a cluster of one node, which the test starts; wants slurm-wlm and munge, and root.
test-slurm: all
	@COCP=$(CURDIR)/$(PROGRAM) tests/run tests/cluster/slurm.sh

# Equations of robots, for those of others to be compared with.
MATRICES := $(BUILD)/tests/acceptance/robots/matrices
acceptance: all $(ACCEPTANCE) $(MATRICES)
	@COCP=$(CURDIR)/$(PROGRAM) MATRICES=$(CURDIR)/$(MATRICES) TEST_JOBS=1 TEST_SECONDS=7200 tests/run $(ACCEPTANCE) $(wildcard tests/acceptance/*.sh)

# One after the other, some minutes to an hour; `tests/study/run --help` tells the options that STUDY may hold.
study: all
	@COCP=$(CURDIR)/$(PROGRAM) tests/study/run $(STUDY)

# After `make study`, by the same program: hours; it goes on where it was stopped. `tests/study/ablate --help` tells the options.
ablate: all
	@COCP=$(CURDIR)/$(PROGRAM) tests/study/ablate $(ABLATE)

bench: all $(BENCHES)
	@set -e; export COCP=$(CURDIR)/$(PROGRAM) COCP_ORDERS=$(BUILD)/orders.csv; \
	    for b in $(BENCHES) $(wildcard scripts/bench); do $$b; done; scripts/orders $(BUILD)/orders.csv; \
	    scripts/bench_solves --quick; scripts/bench_guess

# How solves grow: minutes, robots of many joints, chains, rows, long horizons.
bench-scale: all
	@COCP=$(CURDIR)/$(PROGRAM) scripts/bench_scale

# Our steps against those of CVODE; wants libsundials-dev, which nothing else does.
SUNDIALS_BENCH := $(BUILD)/tests/bench/sundials/cvode
bench-sundials: $(SUNDIALS_BENCH)
	@$< $(patsubst %,problems/%.yaml,oscillator two_balls ball_2d falling_rod friction_blocks tf_ex4)

$(SUNDIALS_BENCH): $(SUNDIALS_BENCH).o $(LIB)
	$(CC) $(LDFLAGS) $^ $(LIBS) -lsundials_cvode -lsundials_nvecserial -lsundials_sunnonlinsolfixedpoint -o $@

# The same systems by Siconos; wants libsiconos-kernel-dev and g++, which nothing else does.
bench-siconos: $(BUILD)/tests/bench/bench_simulation
	@OURS=$< tests/bench/siconos/run

# The same optimal control problems by nosnoc's loop over CasADi, which comes from PyPI and nothing else does.
CASADI := build/casadi
bench-casadi: all $(CASADI)/done
	@COCP=$(CURDIR)/$(PROGRAM) $(CASADI)/bin/python tests/bench/casadi/run

$(CASADI)/done:
	python3 -m venv $(CASADI)
	$(CASADI)/bin/pip install --quiet casadi h5py
	touch $@

# libFuzzer comes with clang, so the whole library is built once more with it.
fuzz: all
	@$(MAKE) --no-print-directory FUZZ=1 CC=clang fuzz-run
	@COCP=$(CURDIR)/$(PROGRAM) tests/fuzz/judge_results build/fuzz/tests/fuzz/fuzz_result.*

# What the inputs of each are made of, besides its corpus.
SEEDS_fuzz_kkt  := -len_control=0
SEEDS_fuzz_spec := -dict=tests/fuzz/fuzz_spec.dict $(wildcard problems tests/specs)
# What crashes libhdf5 is no end: the program is shown it afterwards.
SEEDS_fuzz_result := -fork=1 -ignore_crashes=1 -ignore_ooms=1 -ignore_timeouts=1 -detect_leaks=0 -rss_limit_mb=1000 \
                     -len_control=0 -max_len=65536 tests/fuzz/corpus/result
SEEDS_fuzz_handover := tests/fuzz/corpus/handover
SEEDS_fuzz_csv := -max_len=4096 tests/fuzz/corpus/csv
SEEDS_fuzz_robot := -max_len=16384 tests/fuzz/corpus/robot

fuzz-run: $(FUZZERS:=.run)

$(FUZZERS:=.run): %.run: %
	@mkdir -p $*.corpus
	@echo "$*: $(FUZZ_SECONDS) s"
	@$* -max_total_time=$(FUZZ_SECONDS) -timeout=10 -verbosity=0 -print_final_stats=1 -artifact_prefix=$*. \
	    $*.corpus $(SEEDS_$(notdir $*))

# Which room may include which; README.md "The tree" says what each is. Every room may use itself and core/base.
MAY_core/base          :=
MAY_core/expression    :=
MAY_core/robot         := core/lcp
MAY_core/spec          := core/robot
MAY_core/kkt           :=
MAY_core/nlp           := core/kkt
MAY_core/lcp           :=
MAY_core/results       :=
MAY_core/output        := core/[a-z]*
MAY_core/sweep         := core/spec core/results
MAY_core/model/geometry   := core/expression
MAY_core/model/parts      := core/expression core/spec core/model/geometry
MAY_core/model            := $(MAY_core/model/parts) core/model/parts
MAY_core/model/scope      := $(MAY_core/model) core/model
MAY_core/model/time       := $(MAY_core/model/scope) core/model/scope
MAY_core/model/variables  := $(MAY_core/model/time) core/model/time
MAY_core/model/define     := $(MAY_core/model/time) core/model/time
MAY_core/model/mechanics  := $(MAY_core/model/variables) core/model/variables
MAY_core/model/contacts   := $(MAY_core/model/scope) core/model/scope
MAY_core/model/demands    := $(MAY_core/model/mechanics) core/model/mechanics core/model/define
MAY_core/model/check      := $(MAY_core/model) core/model
MAY_core/model/read       := $(MAY_core/model/demands) core/model/demands core/model/contacts
MAY_core/mpcc          := core/nlp core/spec
MAY_core/contact       := core/lcp
MAY_core/simulation    := core/contact core/model core/lcp core/expression core/spec
MAY_core/simulation/events := $(MAY_core/simulation) core/simulation
MAY_core/stepping      := $(MAY_core/simulation/events) core/simulation/events
MAY_core/replay        := $(MAY_core/simulation/events) core/simulation/events
MAY_core/impact        := core/contact core/model core/lcp core/expression core/spec core/simulation
MAY_core/sos           :=
MAY_core/stability     := core/sos core/model core/expression core/spec
MAY_core/bound         := core/sos core/model core/model/parts core/expression core/spec
MAY_transcription/method     := core/model core/expression core/spec
MAY_transcription/program    := core/mpcc core/nlp core/expression
MAY_transcription/system     := core/model core/expression core/spec transcription/method
MAY_transcription/discretize := core/[a-z]* transcription/method transcription/program transcription/system
MAY_transcription/record     := $(MAY_transcription/discretize) transcription/discretize
MAY_transcription/start      := $(MAY_transcription/record)
MAY_transcription/mechanisms :=
MAY_transcription/sequence           := core/[a-z]* transcription/method transcription/program transcription/system
MAY_transcription/multiphase/layout  := $(MAY_transcription/sequence) transcription/discretize transcription/sequence
MAY_transcription/multiphase/rows    := $(MAY_transcription/multiphase/layout) transcription/multiphase/layout
MAY_transcription/multiphase         := $(MAY_transcription/multiphase/rows) transcription/multiphase/rows
MAY_transcription/reading    := $(MAY_transcription/start) transcription/start transcription/sequence
MAY_transcription/finish     := $(MAY_transcription/reading) transcription/reading $(MAY_transcription/multiphase)
MAY_transcription/finish     += transcription/multiphase transcription/mechanisms
MAY_transcription/finish/checks := $(MAY_transcription/finish) transcription/finish
MAY_transcription/given      := $(MAY_transcription/finish) transcription/finish
MAY_transcription/sensitivity := $(MAY_transcription/finish) transcription/finish
MAY_transcription/proposals  := $(MAY_transcription/finish) transcription/finish
MAY_transcription/moves      := $(MAY_transcription/finish/checks) transcription/finish/checks
MAY_transcription/solve      := $(MAY_transcription/start) transcription/start
MAY_transcription/stationarity := $(MAY_transcription/moves) transcription/moves
MAY_transcription/candidates := $(MAY_transcription/stationarity) transcription/stationarity transcription/given
MAY_transcription/candidates += transcription/sensitivity
MAY_transcription/candidates += transcription/proposals transcription/solve
MAY_transcription/generators := $(MAY_transcription/candidates) transcription/candidates
MAY_transcription/discover   := $(MAY_transcription/generators) transcription/generators
MAY_transcription/diagnose   := $(MAY_transcription/discover) transcription/discover
MAY_transcription/step       := $(MAY_transcription/start) transcription/start transcription/record
MAY_transcription/report     := $(MAY_transcription/discover) $(MAY_transcription/step) transcription/discover transcription/step
MAY_transcription/report     += core/model/read
MAY_transcription/judge      := $(MAY_transcription/report) transcription/report
MAY_transcription/track      := $(MAY_transcription/report) transcription/report
MAY_transcription/ensemble   := $(MAY_transcription/report) transcription/report
MAY_cli                := core/[a-z]* core/model/read core/model/check transcription/[a-z]*
MAY_cli/bounds         := $(MAY_cli) cli
MAY_cli/outputs        := $(MAY_cli/bounds) cli/bounds
MAY_cli/commands       := $(MAY_cli/outputs) cli/outputs
MAY_library            := core/[a-z]* transcription/[a-z]* cli
ROOMS := $(patsubst %/,%,$(sort $(dir $(SRC) $(CLI_SRC) $(LIBRARY_SRC) $(HEADERS))))
empty :=
space := $(empty) $(empty)
define check_room
if grep -nHE '^#include "' $(1)/*.[ch] 2>/dev/null | \
   grep -vE '"($(subst $(space),|,$(strip $(1) core/base $(MAY_$(1)))))/[^/"]+"'; then up=1; fi;
endef

layers:
	@up=0; $(foreach room,$(ROOMS),$(call check_room,$(room))) \
	if [ $$up = 1 ]; then echo "layers: the includes above point up or name no room"; exit 1; fi; \
	echo "layers: every include points down"
	@scripts/circles $(SRC) $(CLI_SRC) $(LIBRARY_SRC) $(HEADERS)
	@scripts/citations

# Each header alone, as its first user would include it.
headers:
	@for h in $(HEADERS); do \
	    echo 'extern int alone;' | $(CC) $(filter-out -MMD -MP,$(CFLAGS)) -Werror -fsyntax-only -include $$h -x c - \
	        || { echo "headers: $$h does not stand alone"; exit 1; }; done; \
	echo "headers: each one compiles alone"

# One process per few files: clang-tidy uses one core. Tests are left out: it does not know that a failed assert ends.
tidy:
	@printf '%s\n' $(SRC) $(CLI_SRC) $(LIBRARY_SRC) | xargs -P "$$(nproc)" -n 4 sh -c \
	    'clang-tidy --quiet --warnings-as-errors="*" "$$@" -- \
	        $(filter-out -MMD -MP -Werror -fsanitize% -fno-sanitize%,$(CFLAGS)) 2>/dev/null' tidy \
	    && echo "tidy: nothing found"

cppcheck:
	cppcheck --quiet --std=c11 --language=c --enable=warning,performance,portability --inline-suppr \
	    --suppressions-list=.cppcheck --error-exitcode=1 --force -I. core transcription cli library

format:
	clang-format -i $(ALL_SRC) $(HEADERS)

# What is installed where: a folder, and the files that go there. uninstall removes these and nothing else.
# Python modules go where python3 looks below the prefix, else to the place of Debian's packages.
SHARE := share/cocp
PYTHON_SITE := $(shell python3 -c "import sys; p = '$(PREFIX)/'; \
    print(*[d[len(p):] for d in sys.path if d.startswith(p + 'lib/') and d.endswith('-packages')][:1])" 2>/dev/null)
ifeq ($(PYTHON_SITE),)
PYTHON_SITE := lib/python3/dist-packages
endif
INSTALLED := share/man/man1/cocp.1:$(BUILD)/cocp.1 share/man/man5/cocp.5:$(BUILD)/cocp.5 \
             share/bash-completion/completions/cocp:cli/cocp.bash \
             lib/libcocp.a:$(STATIC) lib/$(SONAME):$(SHARED) include/cocp.h:library/cocp.h \
             $(foreach f,$(wildcard library/python/cocp/*.py),$(PYTHON_SITE)/$(f:library/python/%=%):$(f)) \
             $(foreach f,$(wildcard problems/*.yaml problems/*.csv problems/*.urdf problems/*.xml) $(TOOLS) $(wildcard examples/*),$(SHARE)/$(f):$(f))
PC := lib/pkgconfig/cocp.pc
VERSION := $(shell sed -n 's/.*COCP_VERSION "\(.*\)"/\1/p' core/output/head.h)

install: all
	install -D -m 755 $(PROGRAM) $(DESTDIR)$(PREFIX)/bin/cocp
	@set -e; for f in $(INSTALLED); do mode=644; [ -x "$${f#*:}" ] && mode=755; \
	    install -D -m $$mode "$${f#*:}" "$(DESTDIR)$(PREFIX)/$${f%%:*}"; done
	@ln -sf $(SONAME) $(DESTDIR)$(PREFIX)/lib/libcocp.so
	@mkdir -p $(dir $(DESTDIR)$(PREFIX)/$(PC))
	@printf '%s\n' 'prefix=$(PREFIX)' 'Name: cocp' 'Description: optimal trajectories of systems that make and break contact' \
	    'Version: $(VERSION)' 'Cflags: -I$${prefix}/include' \
	    'Libs: -L$${prefix}/lib -lcocp' 'Libs.private: $(LIBS) -pthread' >$(DESTDIR)$(PREFIX)/$(PC)
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" -ne 0 ] || ldconfig
	@[ -n "$(DESTDIR)" ] || [ "$$(cd / && python3 -c 'import importlib.util as u; print((u.find_spec("cocp") or u).origin)' 2>&1)" \
	    = "$(PREFIX)/$(PYTHON_SITE)/cocp/__init__.py" ] || echo "python3 finds the module with PYTHONPATH=$(PREFIX)/$(PYTHON_SITE)"

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/cocp $(DESTDIR)$(PREFIX)/$(PC) $(DESTDIR)$(PREFIX)/lib/libcocp.so \
	    $(foreach f,$(INSTALLED),$(DESTDIR)$(PREFIX)/$(firstword $(subst :, ,$(f))))
	@rm -rf $(DESTDIR)$(PREFIX)/$(PYTHON_SITE)/cocp/__pycache__ $(DESTDIR)$(PREFIX)/$(SHARE)/scripts/__pycache__
	@for d in $(SHARE) $(PYTHON_SITE)/cocp; do [ ! -d $(DESTDIR)$(PREFIX)/$$d ] || \
	    find $(DESTDIR)$(PREFIX)/$$d -depth -type d -empty -delete; done

# A Debian package of what install installs; its dependencies are those of the program. Packages of one version for
# several Debians have a DEB_VERSION each.
DEB_VERSION ?= $(VERSION)
DEB := build/cocp_$(DEB_VERSION)_$(shell dpkg --print-architecture 2>/dev/null).deb
deb: all
	@rm -rf build/deb
	@$(MAKE) --no-print-directory install DESTDIR=build/deb/cocp PREFIX=/usr >/dev/null
	@strip build/deb/cocp/usr/bin/cocp build/deb/cocp/usr/lib/$(SONAME) && strip -D -g build/deb/cocp/usr/lib/libcocp.a && gzip -9n build/deb/cocp/usr/share/man/man*/cocp.?
	@mkdir -p build/deb/debian build/deb/cocp/DEBIAN && touch build/deb/debian/control
	@echo 'activate-noawait ldconfig' >build/deb/cocp/DEBIAN/triggers
	@{ printf '%s\n' 'Package: cocp' 'Version: $(DEB_VERSION)' 'Section: math' 'Priority: optional' \
	    'Architecture: $(shell dpkg --print-architecture 2>/dev/null)' 'Maintainer: cocp <cocp@localhost>'; \
	   cd build/deb && dpkg-shlibdeps -O --ignore-missing-info cocp/usr/bin/cocp cocp/usr/lib/$(SONAME) 2>/dev/null | sed 's/^shlibs:Depends=/Depends: /'; \
	   printf '%s\n' 'Recommends: python3, python3-h5py, python3-matplotlib, python3-pil, python3-xarray' 'Suggests: ffmpeg, chromium' \
	    'Description: optimal trajectories of systems that make and break contact' \
	    ' Robots that hop, carts that push each other, motors that stick and slip: from one' \
	    ' YAML file with formulas to trajectories, verified from event to event.'; } >build/deb/cocp/DEBIAN/control
	@dpkg-deb --root-owner-group --build build/deb/cocp $(DEB) >/dev/null && echo $(DEB)

site: all
	@scripts/site

# Program and library for a wheel: HDF5 is in them, as Debian's shared one brings curl and OpenSSL along, and Expat, which
# auditwheel would look for on the machine; scripts/wheel adds the other libraries.
WHEEL := build/wheel
WHEEL_HDF5 := $(WHEEL)/libhdf5_serial_hl.a $(WHEEL)/libhdf5_serial.a
WHEEL_LIBS := $(filter-out -lhdf5% -lexpat,$(LIBS)) -l:libexpat.a -lsz -lz -ldl
WHEEL_LDFLAGS := $(LDFLAGS) -s -Wl,--as-needed
wheel: $(WHEEL)/cocp $(WHEEL)/$(SONAME) $(MANUAL)
	@scripts/wheel $(WHEEL) build/dist

test-wheel: all wheel
	@COCP=$(CURDIR)/$(PROGRAM) tests/run tests/wheel/installed

$(WHEEL)/cocp: $(CLI_OBJ) $(PRODUCTS) $(LIB) $(WHEEL)/streams.o $(WHEEL_HDF5)
	$(CC) $(WHEEL_LDFLAGS) $^ $(NETLIB) $(call static_library,libgfortran.so.5) $(WHEEL_LIBS) -o $@

$(WHEEL)/$(SONAME): $(OBJ) $(CLI_OBJ) $(LIBRARY_OBJ) $(WHEEL)/streams.o $(WHEEL_HDF5) $(WHEEL)/exports
	$(CC) $(WHEEL_LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,-z,defs -Wl,--version-script=$(WHEEL)/exports \
	    $(filter-out %/main.o %/exports,$^) $(WHEEL_LIBS) -o $@

$(WHEEL)/streams.o: library/python/streams.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c $< -o $@

$(WHEEL)/libhdf5%.a:
	@mkdir -p $(@D)
	objcopy --redefine-sym stdin=wheel_stdin --redefine-sym stdout=wheel_stdout --redefine-sym stderr=wheel_stderr \
	    $(shell $(CC) -print-file-name=libhdf5$*.a) $@

$(WHEEL)/exports:
	@mkdir -p $(@D)
	@echo '{ global: cocp_*; local: *; };' >$@

clean:
	rm -rf build

-include $(OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(LIBRARY_OBJ:.o=.d) $(BUILD)/cli/manual/spec_page.d $(TESTS:=.d) $(ACCEPTANCE:=.d) $(MATRICES).d $(BENCHES:=.d) $(FUZZERS:=.d)
