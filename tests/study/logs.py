"""What a solve has said, without what depends on the clock or on folders: programs that do the same say the same."""
import re

TIMES = [
    (re.compile(r"  \[\d+\.\d s( of [^][]*)?\]$"), ""),                      # [1.2 s], [1.2 s of 20 s (6 %)] end a line
    (re.compile(r"^( *\d+ .* \d+) +\d+\.\d\ds  "), r"\1  "),            # the column of times of a step's row
    (re.compile(r" (time|out)=\S+"), ""),                               # of the summary
]


def without_times(text, folders):
    lines = []
    for line in text.splitlines():
        for folder in folders:
            line = line.replace(folder + "/", "")
        for pattern, by in TIMES:
            line = pattern.sub(by, line)
        lines.append(line)
    return "".join(line + "\n" for line in lines)
