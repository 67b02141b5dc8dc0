# The lit suite of the C++ unit tests: runs each case of each *Tests binary.
import os
import sys

sys.path.append(os.path.dirname(__file__))
from strict_googletest import StrictGoogleTest

config.name = "Nestor-Unit"
config.test_format = StrictGoogleTest(".", "Tests")
config.test_source_root = os.path.join(config.nestor_obj_root, "unittests")
config.test_exec_root = config.test_source_root
