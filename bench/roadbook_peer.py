"""The same roadbook set by WeasyPrint: the same texts, photos, map and profile drawings, faces and tables. python roadbook_peer.py PARTS OUT

Plainer than ours (no numbers on maps, no tabs, no table of contents), so that it has rather less to do.
"""
import html, json, os, pathlib, sys

parts, out = pathlib.Path(sys.argv[1]), sys.argv[2]
d = json.loads((parts / "data.json").read_text())
w, esc = d["words"], lambda text: html.escape(text or "")
name = lambda file: file.rsplit("/", 1)[-1]
faces = [("Serif", 400, "SourceSerif4SmText-Regular"), ("Serif", 600, "SourceSerif4SmText-Semibold"), ("Display", 600, "SourceSerif4Display-Semibold"),
         *[("Sans", n, f"barlow-semi-condensed-{n}") for n in (400, 500, 600, 700)], *[("Figures", n, f"barlow-condensed-{n}") for n in (500, 600, 700)]]
css = "".join(f"@font-face{{font-family:{family};font-weight:{weight};src:url({file}.ttf)}}" for family, weight, file in faces) + """
@page{size:148mm 210mm;margin:11mm 10mm 14mm 15mm;@bottom-right{content:counter(page);font:700 9.5pt Sans}}
@page cover{margin:0;background:#17463f}
body{font:9.7pt/1.45 Serif;hyphens:auto;text-align:justify;margin:0}
section{break-before:page}h1{font:600 21pt Display;margin:0 0 4mm}h2{font:700 10pt Sans;color:#17463f;margin:4mm 0 2mm}
.cover{page:cover;color:#fff}.cover img{width:148mm;height:129mm;object-fit:cover}.cover div{padding:10mm 14mm}
table{border-collapse:collapse;width:100%;font:9pt Sans}td,th{border-bottom:.4pt solid #b9b6ac;padding:1mm;text-align:left;vertical-align:middle}
tr{break-inside:avoid}tr:nth-child(even) td{background:#f3f0e7}.km{font:600 15pt Figures;text-align:right}
.photo{width:100%;height:66mm;object-fit:cover;border-radius:1mm}.figures td{font:600 20pt Figures}
"""
prose = lambda blocks: "".join(f"<p>{''.join(esc(run['text']) for run in block['runs'])}</p>" for block in blocks)
picture = lambda photo: f"<img class=photo src='{name(photo['file'])}' alt='{esc(photo['alt'])}'><p><em>{esc(photo['caption'])}</em> {esc(photo['credit'])}</p>" if photo else ""
drawn = lambda one: f"<img src='{name(one['file'])}' style='width:{one['width_mm']}mm;height:{one['height_mm']}mm' alt='{esc(one['alt'])}'>" if one else ""
row = lambda cells, tag="td": "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>"
trip, body = d["trip"], []
cover = next(page for page in d["pages"] if page["page"] == "cover")["photo"]
body.append(f"<div class=cover><img src='{name(cover['file'])}' alt='{esc(cover['alt'])}'><div><p>{w['roadbook']}</p><h1 style='font-size:32pt'>{esc(trip['title'])}</h1><p>{esc(trip['subtitle'])}</p></div></div>")
body.append(f"<section><h1>{w['welcome']}</h1>{prose(trip['welcome'])}<h2>{w['contacts']}</h2><table>" + "".join(row([esc(c["role"]), esc(c["name"]), f"<span class=km>{esc(c['phone'])}</span>"]) for c in trip["contacts"]) + "</table></section>")
body.append(f"<section><h1>{w['your_trip']}</h1>{prose(trip['description'])}<ul>" + "".join(f"<li>{esc(item)}</li>" for item in trip["includes"] + trip["excludes"]) + "</ul>" + "".join(f"<h2>{esc(a['title'])}</h2>{prose(a['text'])}" for a in trip["advice"]) + "</section>")
body.append(f"<section><h1>{w['overview']}</h1>{drawn(d['overview']['map'])}</section><section><table>" + "".join(row([x["number"], f"{esc(x['origin'])} – {esc(x['destination'])}", x["km_whole"], x["ascent"], x["descent"], x["time"]]) for x in d["days"]) + f"</table>{drawn(d['overview']['profile'])}</section>")
for x in d["days"]:
    body.append(f"<section><h1>{x['number']} {esc(x['origin'])} – {esc(x['destination'])}</h1><table class=figures>{row([x['km'], x['ascent'], x['descent'], x['time']])}</table>{drawn(x['map'])}{prose(x['intro'])}</section>")
    body.append(f"<section>{drawn(x['profile'])}<h2>{w['steps']}</h2><table><thead>{row([w['col_number'], w['col_at'], w['col_what'], w['col_then']], 'th')}</thead>" + "".join(row([s["number"], f"<span class=km>{s['km']}</span>", f"<b>{esc(s['title'])}</b><br>{esc(s['text'])}", s["then"] or ""]) for s in x["steps"]) + "</table></section>")
    if stay := x["stay"]:
        body.append(f"<section><h1>{esc(stay['name'])}</h1>{picture(stay['photo'])}<p>{'<br>'.join(map(esc, stay['address']))}</p><table>" + "".join(row([esc(m["name"]), m["hour"], esc(m["price"]), esc(m["detail"])]) for m in stay["meals"]) + f"</table><p>{esc(stay['note'])}</p></section>")
    if x["photos"]:
        body.append("<section>" + "".join(map(picture, x["photos"])) + "</section>")
for sheet in d["slips"]:
    body.append("<section>" + "".join(f"<h2>{esc(b['provider'])}</h2><p>{b['number']} · {esc(b['service'])} · {esc(b['date'])} · {esc(b['settlement'])}</p>" for b in sheet) + "</section>")
body.append("<section>" + "".join(f"<img src='{name(q['file'])}' style='width:34mm' alt='{esc(q['url'])}'>" for q in d["qr"]) + "".join(f"<p>{esc(line)}</p>" for line in d["brand"]["legal"]) + "</section>")

import weasyprint
pages = weasyprint.HTML(string=f"<html lang=fr><head><title>{esc(trip['title'])}</title><style>{css}</style></head><body>{''.join(body)}</body></html>", base_url=str(parts) + "/").render(pdf_variant="pdf/ua-1")
pages.write_pdf(out)
times = os.times()
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(f"weasyprint {weasyprint.__version__}: {times.user + times.system:.2f} s of processor, {int(peak) // 1024} MB at most, {len(pages.pages)} pages, {os.path.getsize(out) // 1000} kB")
