"""What the probe itself needs of Python, taken before gevent may put its own in place.

The probe's thread must be a real thread: as a greenlet it would stop with the code that it watches.
"""

import _thread
import sys
import time

start_thread = _thread.start_new_thread
make_lock = _thread.allocate_lock
thread_id = _thread.get_ident
system_thread_id = _thread.get_native_id
sleep = time.sleep
now = time.perf_counter
epoch_ns = time.time_ns
thread_cpu = time.thread_time
process_cpu = time.process_time
frames_of_threads = sys._current_frames
