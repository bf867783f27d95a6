"""Elevation tiles of 1201 samples a side drawn out to 3601, the only ones Valhalla reads: FROM a folder, TO its own layout."""
import array, glob, os, sys, zipfile

def drawn_out(tile):
    side, large = 1201, 3601
    for i, height in enumerate(tile):
        if height == -32768 and i:
            tile[i] = tile[i - 1]
    out = array.array("h", [0]) * (large * large)
    for row in range(large):
        above, share = divmod(row, 3)
        below, share = min(above + 1, side - 1), share / 3
        line = [tile[above * side + c] * (1 - share) + tile[below * side + c] * share for c in range(side)]
        for column in range(large):
            left, part = divmod(column, 3)
            out[row * large + column] = round(line[left] * (1 - part / 3) + line[min(left + 1, side - 1)] * part / 3)
    return out

def main(source, target):
    for path in glob.glob(os.path.join(source, "*.hgt*")):
        name = os.path.basename(path).split(".")[0]
        raw = zipfile.ZipFile(path).read(zipfile.ZipFile(path).namelist()[0]) if path.endswith("zip") else open(path, "rb").read()
        tile = array.array("h")
        tile.frombytes(raw)
        tile.byteswap()
        if len(tile) == 1201 * 1201:
            tile = drawn_out(tile)
        tile.byteswap()
        os.makedirs(os.path.join(target, name[:3]), exist_ok=True)
        open(os.path.join(target, name[:3], name + ".hgt"), "wb").write(tile.tobytes())

main(*sys.argv[1:])
