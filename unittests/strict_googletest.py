# Used by lit.cfg.py; a module of its own because lit pickles test formats.
import lit.formats


class StrictGoogleTest(lit.formats.GoogleTest):
    """GoogleTest, except that a binary which cannot list its tests fails.

    lit itself only warns, so a binary that does not start would pass.
    """

    def get_num_tests(self, path, lit_config, local_config):
        count = super().get_num_tests(path, lit_config, local_config)
        return 1 if count is None else count
