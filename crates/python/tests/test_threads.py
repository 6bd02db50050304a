"""Threads and Ctrl-C: the interpreter goes on while a program computes."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy
import pytest

import weft

CALLS = int(os.environ.get("PYTHON_CALLS", "500"))
INTERRUPTS = int(os.environ.get("PYTHON_INTERRUPTS", "10"))

# A second or more of one processor where `n` is some 10^10.
LONG = "input n: i64; let s = sum[i in 0..n]((i as f64) * 0.5);"


def test_eight_threads_call_one_program():
    program = weft.compile("input x: [f64; n]; let y[i] = 2.0 * x[i] + 1.0;")
    wrong = []

    def call(first):
        x = numpy.arange(100.0) + first
        for _ in range(CALLS):
            if not (program(x=x).y == 2 * x + 1).all():
                wrong.append(first)

    threads = [threading.Thread(target=call, args=(n,)) for n in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not wrong


def test_python_goes_on_while_a_program_computes():
    program = weft.compile(LONG, threads=1)
    program(n=1000).s
    ended = []

    def compute():
        program(n=20_000_000_000).s
        ended.append(time.monotonic())

    thread = threading.Thread(target=compute)
    begin = time.monotonic()
    thread.start()
    counted = 0
    while not ended and time.monotonic() - begin < 30:
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 20


def interrupted(seconds):
    """Ctrl-C after so long, from outside of Python."""
    command = f"sleep {seconds}; kill -INT {os.getpid()}"
    return subprocess.Popen(["sh", "-c", command])


def test_an_interrupt_ends_the_computation_and_not_the_interpreter():
    program = weft.compile(LONG)
    for _ in range(INTERRUPTS):
        with pytest.raises(KeyboardInterrupt):
            killer = interrupted(0.1)
            program(n=1_000_000_000_000).s
        killer.wait()
    assert program(n=3).s == 1.5


def test_an_interrupt_ends_a_check():
    lines = [f"let a{k}[i] = a{k - 1}[i] * 0.5 + x[i];" for k in range(1, 30_000)]
    text = "input x: [f64; n]; let a0[i] = x[i] * 1.5;" + "\n".join(lines)
    killer = interrupted(0.2)
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        weft.compile(text)
    assert time.monotonic() - begin < 10
    killer.wait()


def test_who_waits_for_a_turn_is_interrupted():
    program = weft.compile(LONG, threads=1)
    other = threading.Thread(target=lambda: program(n=30_000_000_000).s)
    other.start()
    time.sleep(0.1)
    killer = interrupted(0.1)
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        program.run(n=3)
    waited = time.monotonic() - begin
    killer.wait()
    other.join()
    assert waited < 0.9 * (time.monotonic() - begin)


def test_a_handler_of_the_user_is_called():
    seen = []
    before = signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    try:
        program = weft.compile(LONG, threads=1)
        killer = interrupted(0.05)
        # It is computed again where the handler raises nothing.
        assert program(n=20_000_000_000).s > 0
        killer.wait()
    finally:
        signal.signal(signal.SIGINT, before)
    assert seen == [1]


def test_the_handler_is_pythons_own_again():
    weft.compile(LONG)(n=10).s
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
        time.sleep(1)


def test_programs_in_other_processes():
    code = "import weft; print(weft.compile('let a = 2 + 3;')().a)"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout == "5\n"
