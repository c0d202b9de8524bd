#!/bin/sh
# constraints with conditions and at optimized times, commands that are tied to a state, final states of machines. COCP is the
# program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
work_apart

like_to=3e-6    # a command keeps 1e-6 off what is asked of states

# 1 m in 0.4 s, then 0.8 m at 0.5 m/s: 1/0.4 + 0.25*1.6. By the clock: 1.3 m in the first second, then 0.5 m/s.
cat >slow.yaml <<'END'
cocp: 1
time: {horizon: 2, intervals: 10}
states: {x: {initial: 0, final: 1.8}}
controls: {u: {bounds: [0, 5]}}
dynamics: {type: ode, rhs: {x: u}}
cost: {running: {effort: u^2}}
constraints: {slow: {expr: u <= 0.5, if: x >= 1}}
END
solves 2.9 "slow behind a line" slow.yaml
solves 1.94 "slow from a time on" slow.yaml --set 'constraints.slow.if=t >= 1'

# Up to sqrt(1.5), down to 1 at the line, then 1 m at that speed: 2 sqrt(1.5).
cat >brake.yaml <<'END'
cocp: 1
time: {horizon: {min: 0.5, max: 10, guess: 4}, intervals: 6}
states: {x: {initial: 0, final: 2}, v: {initial: 0}}
controls: {u: {bounds: [-1, 1]}}
dynamics: {type: ode, rhs: {x: v, v: u}}
cost: {terminal: {time: t}}
constraints: {slow: {expr: v <= 1, if: x >= 1}}
discretization: {control_grid: free}
END
solves 2.449489742783178 "brakes before a line" brake.yaml

# It is best to stay just below where the condition begins to hold: up for 1 s, then along the line.
cat >below.yaml <<'END'
cocp: 1
time: {horizon: 2, intervals: 10}
states: {x: {initial: 0, final: 2}, y: {initial: 0}}
controls: {v: {bounds: [0, 1]}, w: {bounds: [-1, 1]}}
dynamics: {type: ode, rhs: {x: v, y: w}}
cost: {running: {high: -y}}
constraints: {slow: {expr: v <= 0.5, if: [y >= 1, t >= 0.5]}}
END
solves -1.5 "along a condition" below.yaml

# What a simulation breaks is told.
exits 0 "a run that is too fast" simulate -q slow.yaml -o s.h5 --set 'simulate.controls={u: 1}'
! "$cocp" verify s.h5 >out 2>err
report "is not verified" $?
says err "as its constraint says" "! constraints.slow"

# At an optimized time: 1/t + 0.25/(2 - t) is least at 4/3; (2 - t)^2/t falls up to the bound.
cat >pick.yaml <<'END'
cocp: 1
time: {horizon: 2, intervals: 3}
parameters: {t_pick: {value: 0.8, optimize: [0.2, 1.8]}}
states: {x: {initial: 0, final: 0.5}}
controls: {u: {bounds: [-5, 5]}}
dynamics: {type: ode, rhs: {x: u}}
cost: {running: {effort: u^2}}
constraints: {pick: {expr: x == 1, at: {time: t_pick}}}
END
solves 1.125 "at the best time" pick.yaml
solves 0.16666666666666666 "something that moves" pick.yaml --set time.intervals=4 --set states.x.final=free \
    --set 'constraints.pick.expr=x == 2 - t' --set 'parameters.t_pick.optimize=[0.2, 1.5]'

# A command that works at the load: to it and on at one speed, 2 m in 3 s. Without that the load comes along at once: 1 m.
cat >grab.yaml <<'END'
cocp: 1
time: {horizon: 3, intervals: 6}
states: {x: {initial: 0}, y: {initial: 1, final: 2}}
controls: {u: {bounds: [-3, 3]}, grab: {bounds: [0, 1]}}
machines:
  hand:
    states: {free: {}, holds: {with: 1}}
    transitions: {grabs: {from: free, to: holds, when: [grab >= 0.5, x >= 1]}}
dynamics: {type: ode, rhs: {x: u, y: with*u}}
cost: {running: {effort: u^2}}
END
solves 1.3333333333333333 "grabs at the load" grab.yaml
solves 0.33333333333333333 "grabs anywhere" grab.yaml --set 'machines.hand.transitions.grabs.when=grab >= 0.5'

# Simulated it grabs as soon as both hold: at 1 s, then it carries 2 m further.
printf 't,u,grab\n0,1,1\n' >on.csv
exits 0 "a simulated hand" simulate -q grab.yaml -o s.h5 --force --controls on.csv
"$cocp" export s.h5 --group uniform >out 2>err
awk -F, 'NR > 1 {y = $3} END {exit !((y - 3)^2 < 1e-20)}' out
report "grabs where it comes to the load" $?

# Fast but for the last of four intervals, or all the time.
cat >gear.yaml <<'END'
cocp: 1
time: {horizon: 2, intervals: 4}
states: {x: {initial: 0}}
controls: {shift: {bounds: [-1, 1]}}
machines:
  gear:
    states: {slow: {v: 1}, fast: {v: 2}}
    final: slow
    transitions:
      up:   {from: slow, to: fast, when: shift >= 0.5}
      down: {from: fast, to: slow, when: shift <= -0.5}
dynamics: {type: ode, rhs: {x: v}}
cost: {terminal: {far: -x}}
END
solves -3.5 "ends in low gear" gear.yaml
solves -4 "ends in any gear" gear.yaml --set 'machines.gear.final=[slow, fast]'
printf 't,shift\n0,1\n' >up.csv
exits 0 "a run that ends in high gear" simulate -q gear.yaml -o s.h5 --force --controls up.csv
! "$cocp" verify s.h5 >out 2>err
report "is not what was asked" $?
says err "as it says" "gear ends in fast, where it may not"

# Mistakes, each with its place.
wrong() {       # wrong NAME SPEC EDIT PATTERN
    sed "$3" "$2" >wrong.yaml
    exits 3 "$1" check wrong.yaml
    says err "$1: where and why" "$4"
}
wrong "a condition of a control" slow.yaml 's/if: x >= 1/if: u >= 1/' 'wrong.yaml:7:42: error: constraints.slow.if: the condition of a constraint may not depend on the control u'
wrong "no inequality" slow.yaml 's/if: x >= 1/if: x/' 'wrong.yaml:7:42: error: constraints.slow.if: a constraint needs'
wrong "a condition at times" slow.yaml 's/if: x >= 1/if: x >= 1, at: final/' 'wrong.yaml:7:42: error: constraints.slow.if: a condition belongs to a constraint along the path'
wrong "no conditions" slow.yaml 's/if: x >= 1/if: []/' 'wrong.yaml:7:42: error: constraints.slow.if: the list of conditions is empty'
wrong "a known time" pick.yaml 's/time: t_pick/time: 0.5/' 'wrong.yaml:8:47: error: constraints.pick.at.time: is a known time'
wrong "a time of a state" pick.yaml 's/time: t_pick/time: x/' 'wrong.yaml:8:47: error: constraints.pick.at.time: '
wrong "a wrong key" pick.yaml 's/time: t_pick/time: t_pick, tim: 3/' 'wrong.yaml:8:[0-9]*: error: constraints.pick.at: unknown key "tim"'
wrong "with phases" pick.yaml 's/^time.*/phases: {a: {length: 1, intervals: 1}, b: {length: 1, intervals: 1}}/' 'wrong.yaml:8:40: error: constraints.pick.at: with phases a time that is optimized is the end of one'
wrong "two commands" grab.yaml 's/x >= 1\]/u >= 1]/' 'wrong.yaml:8:70: error: machines.hand.transitions.grabs.when.1: a transition has one command'
wrong "a state that is none" gear.yaml 's/final: slow/final: medium/' 'wrong.yaml:8:12: error: machines.gear.final: is no state of gear'
sed 's/grab >= 0.5/x >= 0.5/' grab.yaml >two.yaml
exits 3 "two conditions of states" solve -q two.yaml
says err "two conditions of states: what a solve takes" 'two.yaml:8:19: error: machines.hand.transitions.grabs: waits for several conditions, none of them a command'
exits 0 "slow once more" solve -q slow.yaml -o it.h5 --force
exits 3 "no bound" bound slow.yaml it.h5

echo "1..$n"
[ "$failures" -eq 0 ]
