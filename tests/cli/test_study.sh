#!/bin/sh
# The study of robustness: every spec of its table is valid, the table has its columns and holds a third out, and the
# runner solves, judges and compares. COCP is the program; TAP on stdout.
# shellcheck source=tests/cli/tap.sh
. "$(dirname "$0")/tap.sh"
study=$(cd "$(dirname "$0")/../study" && pwd)
work_apart

studies() {     # studies NAME ARGUMENTS...: the runner, which checks the table before anything else
    name=$1
    shift
    COCP="$cocp" "$study/run" "$@" >out 2>err
    report "$name" $?
}

studies "every row of the table passes cocp check" --check
[ "$(($(wc -l <"$study/study.tsv") - 1))" -ge 60 ]
report "at least 60 of them" $?
[ "$(cut -f1 "$study/study.tsv" | sort | uniq -d | wc -l)" -eq 0 ]
report "each has a name of its own" $?
for spec in "$study"/problems/*.yaml; do
    cut -f2 "$study/study.tsv" | grep -q "/$(basename "$spec")\$" || echo "$spec stands in no row"
done >out
[ ! -s out ]
report "no spec is left out" $?
grep -L '^# ' "$study"/problems/*.yaml >out
[ ! -s out ]
report "each says where it is from" $?
# A hash decides: a third, but for three times what chance makes of it, sqrt(2/9 n).
awk -F'\t' 'NR > 1 { n++; if ($5 == "hold") held++ } END { exit !((held - n/3)^2 <= 9*2/9*n) }' "$study/study.tsv"
report "a third is held out" $?

mkdir first
studies "two rows are solved" --only ivp_short --only dry_time -o first/study.csv
says first/study.csv "the results have their columns" \
    '^name,kind,set,status,done,verified,error,objective,best,excess,iterations,cpu,wall,cause,agrees,found_by,limit,program'
[ "$(grep -c ',solved,yes,yes,' first/study.csv)" -eq 2 ]
report "both are solved, done and verified" $?
says out "solve and verify agree" '^solve and verify disagree: 0 of 2$'
[ "$(tr -d '\r' <first/study.csv | grep -cE ',yes,[^,]*,60,[0-9a-f]{12}$')" -eq 2 ]
report "row by row, with the limit and the program" $?
says out "rates are by kind" '^switched +1 +1 +1 +1 +1 \(100 %\)'
studies "the same again, compared" --only ivp_short --only dry_time -o first/again.csv --compare first/study.csv
says out "pairs and ratios" '2 pairs, 2 of them successes in both runs'
says out "iterations are the same" 'iterations x 1\.000 in the geometric mean'
studies "what is there already is not solved again" --only ivp_short --only dry_time -o first/again.csv --resume
[ "$(wc -l <first/again.csv)" -eq 3 ]
report "and kept" $?
printf '#!/bin/sh\nkill -9 $PPID\n' >kills
chmod +x kills
"$study/run" --cocp ./kills --only ivp_short --only dry_time --only catapult -o first/again.csv --resume >out 2>&1
[ $? -eq 137 ] && [ "$(wc -l <first/again.csv)" -eq 3 ]
report "even where the study is killed at once" $?
studies "a limit" --only two_leg_jump -o first/limit.csv --limit 0.2
says first/limit.csv "stops a solve" '^two_leg_jump,hopping,[a-z]+,limit,'
says out "and is named as the cause" 'two_leg_jump +limit: stopped at the limit of CPU'

# A program whose verify sees another error, and one that refuses.
for says in 'verified x error=2e-3' 'unverified x error=1e-9'; do
    code=$([ "${says%% *}" = verified ] && echo 0 || echo 60)
    printf '#!/bin/sh\nif [ "$1" = verify ]; then echo "%s"; exit %s; fi\nexec %s "$@"\n' "$says" "$code" "$cocp" >other
    chmod +x other
    studies "a judge of another opinion" --cocp ./other --only ivp_short -o first/other.csv
    says out "is found out" '^solve and verify disagree: 1 of 1$'
    says out "and quoted" '^  ivp_short +(error=.*, and error=2e-3 of verify|solved, and verify says unverified)$'
done

# A program whose words differ by times and folders alone from those of another run of it.
cat >talks <<'END'
#!/bin/sh
[ "$1" = verify ] && exec echo "verified x error=1e-9"
out=$(echo "$*" | sed 's/.* -o \([^ ]*\) .*/\1/')
echo "solved x objective=0.87 error=1e-9 iter=33 time=$$ out=$out"
printf '%s\n' "discovery 1, by fixed steps: a solution with 3 events in [0.1 s, 2 s]  [$(($$ % 100)).3 s of 60 s ($(($$ % 100)) %)]" \
    "   1   1.0e+00   5.0e-01   5.9e-05      0.2544844      4  $(printf '%6d' $(($$ % 999))).11s  solved, crossover" \
    "$out: is written  [$(($$ % 100)).1 s]" >&2
END
chmod +x talks
printf 'ivp_short\n# a spec by itself\nproblems/hopper.yaml\n' >rows
for log in a b; do
    studies "logs are kept" --cocp ./talks --listed rows --logs "$log" -o "$log/out/study.csv"
done
diff -r -x out a b >out 2>err && [ -s a/ivp_short.log ] && [ -s a/problems_hopper.log ]
report "they are the same where only times and folders differ" $?
cat >expected <<'END'
solved x objective=0.87 error=1e-9 iter=33
discovery 1, by fixed steps: a solution with 3 events in [0.1 s, 2 s]
   1   1.0e+00   5.0e-01   5.9e-05      0.2544844      4  solved, crossover
ivp_short.h5: is written
END
diff expected a/ivp_short.log >out 2>err
report "and lack nothing else" $?

awk -F'\t' -v OFS='\t' 'NR == 2 { $5 = $5 == "hold" ? "tune" : "hold" } NR < 3' "$study/study.tsv" >wrong.tsv
COCP="$cocp" "$study/run" --table wrong.tsv --check >out 2>err
[ $? -eq 1 ]
report "a row in the wrong set is an error" $?
says err "which says so" 'puts it into the other set'

echo "1..$n"
[ "$failures" -eq 0 ]
