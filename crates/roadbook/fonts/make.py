"""npm packages -> the Barlow and Noto faces embedded here. Needs fonttools, brotli: python make.py UNPACKED OUT

Characters are kept to Latin, punctuation and signs (and the script's own), features to those that the pages use.
Barlow lacks U+202F and U+2011, which every French text needs: they are added.
"""
import pathlib, sys, tempfile
from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

src, out = map(pathlib.Path, sys.argv[1:3])
out.mkdir(parents=True, exist_ok=True)
KEEP = [*range(0x20, 0x250), *range(0x2B0, 0x370), *range(0x1E00, 0x1F00), *range(0x2000, 0x2800), 0xFB01, 0xFB02]
FEATURES = ["kern", "liga", "mark", "mkmk", "ccmp", "locl", "onum", "lnum", "tnum", "pnum", "sups", "ordn", "rlig", "init", "medi", "fina", "isol"]

def thin(font, keep):
    o = Options(layout_features=FEATURES, hinting=False, name_IDs=["*"], notdef_outline=True, glyph_names=False, drop_tables=["DSIG", "STAT", "meta"])
    s = Subsetter(o)
    s.populate(unicodes=keep)
    s.subset(font)
    return font

def merged(folder, fam, subsets, weight):
    parts = []
    for sub in subsets:
        f = TTFont(next(src.glob(f"{folder}*")) / f"package/files/{fam}-{sub}-{weight}-normal.woff2"); f.flavor = None
        parts.append(tempfile.mktemp(".ttf")); f.save(parts[-1])
    return Merger().merge(parts) if len(parts) > 1 else TTFont(parts[0])

def spaces(f):
    cmap = f.getBestCmap()
    space = cmap[0x20]
    f.ensureDecompiled()
    f["glyf"]["uni202F"] = f["glyf"][space]
    f["hmtx"]["uni202F"] = (round(f["hmtx"][space][0] * .62), 0)
    if "uni202F" not in f.getGlyphOrder():
        f.setGlyphOrder(f.getGlyphOrder() + ["uni202F"])
    for table in f["cmap"].tables:
        if table.isUnicode():
            table.cmap[0x202F] = "uni202F"
            table.cmap.setdefault(0x2011, table.cmap.get(0x2010, table.cmap[0x2D]))

for fam, weights in (("barlow-semi-condensed", (400, 500, 600, 700)), ("barlow-condensed", (500, 600, 700))):
    for w in weights:
        f = merged(f"fontsource-{fam}-", fam, ("latin", "latin-ext"), w)
        if 0x202F not in f.getBestCmap(): spaces(f)
        thin(f, KEEP).save(out / f"{fam}-{w}.ttf")
f = merged("fontsource-noto-sans-symbols-2-", "noto-sans-symbols-2", ("symbols",), 400)
thin(f, [0x20, *range(0x2190, 0x2200), *range(0x2600, 0x27C0), *range(0x2B00, 0x2B60)]).save(out / "noto-sans-symbols-400.ttf")
for script, keep in (("arabic", [0x20, *range(0x600, 0x700), *range(0x750, 0x780), 0x200C, 0x200D]), ("hebrew", [0x20, *range(0x590, 0x600)])):
    f = merged(f"fontsource-noto-sans-{script}-", f"noto-sans-{script}", (script,), 400)
    thin(f, keep).save(out / f"noto-sans-{script}-400.ttf")
