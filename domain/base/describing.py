"""The lock under which msgspec looks at a class for the first time.

It notes what it finds at the class, and hands it to other threads before it is complete: one that decodes by it ends the program.
"""

from threading import RLock

DESCRIBING = RLock()
