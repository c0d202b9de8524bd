"""A command run in the library: its words, its messages, its end."""
import ctypes
import threading
import warnings
from collections import namedtuple

from ._library import Call, Message, library

#: level is "error", "warning" or "note"; line 0: of no place; whole: as the command line prints it.
Note = namedtuple("Note", "level file line column text whole")


class Error(Exception):
    """What a command could not do; `messages` is all it said."""

    def __init__(self, messages, otherwise):
        errors = [note for note in messages if note.level == "error"]
        super().__init__("\n".join(note.whole for note in errors) or otherwise)
        self.messages = messages
        self.errors = errors


class SpecError(Error, ValueError):
    """Mistakes of a spec: file, line and column are those of the first one, `errors` has all."""

    def __init__(self, messages, otherwise):
        super().__init__(messages, otherwise)
        first = self.errors[0] if self.errors else Note("error", None, 0, 0, otherwise, otherwise)
        self.file, self.line, self.column = first.file, first.line, first.column


class UsageError(Error, ValueError):
    """An option that is not there, or makes no sense."""


class FileError(Error, OSError):
    """A file that cannot be read or written."""


class SpecWarning(UserWarning):
    """What a command warns of."""


KINDS = {1: Error, 2: UsageError, 3: SpecError, 4: FileError}


def text_of(value):
    """A value as the YAML that --set takes."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    if hasattr(value, "tolist"):                    # of numpy
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {text_of(each)}" for key, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(text_of(each) for each in value) + "]"
    return repr(value)


def words_of(settings, options):
    """The words of the command line: settings by path, options by name (max_time=5 is --max-time=5)."""
    words = [f"--set={path}={text_of(value)}" for path, value in settings.items()]
    for name, value in options.items():
        name = "--" + name.replace("_", "-")
        if value is True:
            words.append(name)
        elif isinstance(value, dict):
            words += [f"{name}={key}={text_of(each)}" for key, each in value.items()]
        elif value is not None and value is not False:
            words.append(f"{name}={text_of(value)}")
    return words


class Run:
    """What came of a command. Ctrl-C ends it with the best there is; a second one raises KeyboardInterrupt."""

    def __init__(self, words, text=None, guess=None, subject=None, log=None):
        self.lines = []
        self._log = print if log is True else log
        array = (ctypes.c_char_p * len(words))(*[word.encode() for word in words])
        call = Call(None if text is None else text.encode(), guess, subject, Call.LOG(self._take), None)
        handle = self._wait(lambda: library.cocp_run(len(words), array, call))
        try:
            self.status = library.cocp_run_status(handle).decode()
            self.exit_code = library.cocp_run_exit_code(handle)
            self.output = library.cocp_run_output(handle).decode()
            self.messages = list(messages_of(handle))
            self.result = library.cocp_run_result(handle)
        finally:
            library.cocp_run_free(handle)
        for note in self.messages:
            if note.level == "warning":
                warnings.warn(note.whole, SpecWarning, stacklevel=4)
        if self.exit_code in KINDS:
            raise KINDS[self.exit_code](self.messages, self.status)

    def _take(self, _, line):
        line = line.decode(errors="replace")
        self.lines.append(line)
        if self._log:
            self._log(line)

    @staticmethod
    def _wait(work):
        """Works in a thread, as Python's signal handlers run between calls of the main one."""
        if threading.current_thread() is not threading.main_thread():
            return work()
        handles, done, interrupts = [], threading.Event(), 0

        def work_and_tell():
            handles.append(work())
            done.set()

        threading.Thread(target=work_and_tell, name="cocp", daemon=True).start()
        while not done.is_set():                    # an interrupted join takes a thread for ended (bpo-45274)
            try:
                if interrupts:
                    library.cocp_stop()
                done.wait(0.2)
            except KeyboardInterrupt:
                interrupts += 1
        if interrupts > 1:
            library.cocp_run_free(handles[0])
            raise KeyboardInterrupt
        return handles[0]


def messages_of(handle):
    message, i = Message(), 0
    while library.cocp_run_message(handle, i, message):
        texts = [None if text is None else text.decode(errors="replace")
                 for text in (message.level, message.file, message.text, message.whole)]
        yield Note(texts[0], texts[1], message.line, message.column, texts[2], texts[3])
        i += 1
