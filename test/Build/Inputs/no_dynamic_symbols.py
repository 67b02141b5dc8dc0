# Lists the dynamic symbols with a prefix in all binaries of a build folder, and
# fails if there are any: no_dynamic_symbols.py PREFIX BUILD
import pathlib
import subprocess
import sys

prefix, build = sys.argv[1], pathlib.Path(sys.argv[2])

def is_binary(path):  # and no script
    return path.is_file() and path.open("rb").read(4) == b"\x7fELF"


binaries = sorted(filter(is_binary, (build / "bin").iterdir()))
binaries += sorted((build / "lib").glob("*.so"))
assert any(p.name == "nestor-opt" for p in binaries), "no binary to look at"

found = False
for binary in binaries:
    table = subprocess.run(
        ["llvm-nm", "-D", "-P", binary], check=True, capture_output=True, text=True
    ).stdout
    for line in table.splitlines():
        name, kind = line.split()[:2]
        if name.startswith(prefix):
            found = True
            print(f"{binary.name}: {'imports' if kind in 'Uwv' else 'exports'} {name}")
sys.exit(found)
