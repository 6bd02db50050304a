"""What all tests need of their process."""

import signal

# A shell starts what it runs in the background with Ctrl-C ignored, and Python leaves that so.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
