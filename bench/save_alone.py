#!/usr/bin/env python3
"""What SQLite itself needs for the statements of a save of a parcours, in one thread: the part of a save that no server can do without.

    python3 bench/save_alone.py DATA/jalon.sqlite [SAVES]

DATA is a folder that `jalon demo --parcours 20000` filled and that no server uses; its file is copied first. Prints the processor time of a
save and its clock time in ms, and the pages that a save writes: with all indexes of parcours, without those that hold the time of the last
change, and without the words of the search too. SQLite must be 3.43 or later, with FTS5.
"""
import resource
import shutil
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

source, saves = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000


def processor_s():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measure(name, before, has_words=True):
    with tempfile.TemporaryDirectory(dir=source.parent) as folder:
        file = Path(folder) / 'copy.sqlite'
        shutil.copy(source, file)
        database = sqlite3.connect(file, isolation_level=None, cached_statements=100)
        for pragma in ('journal_mode=WAL', 'synchronous=FULL', 'cache_size=-4000', 'mmap_size=0', 'wal_autocheckpoint=0'):
            database.execute(f'PRAGMA {pragma}')
        for statement in before:
            database.execute(statement)
        database.execute('PRAGMA wal_checkpoint(TRUNCATE)')
        rows = database.execute(
            'SELECT p.id, p.version, c.card, s.sheet, (SELECT body FROM parcours_revision WHERE parcours_id = p.id LIMIT 1)'
            ' FROM parcours p JOIN parcours_card c ON c.parcours_id = p.id JOIN parcours_sheet s ON s.parcours_id = p.id'
            ' ORDER BY p.id * 7919 % 20011 LIMIT ?', (saves,)).fetchall()
        now = int(time.time())
        used, clock = processor_s(), time.perf_counter()
        for n, (key, version, card, sheet, body) in enumerate(rows):
            title = f'le tour du lac version {now + n}'
            database.execute('BEGIN IMMEDIATE')
            database.execute('SELECT * FROM parcours WHERE id = ?', (key,)).fetchone()
            database.execute('SELECT * FROM parcours_sheet WHERE parcours_id = ?', (key,)).fetchone()
            database.execute('UPDATE parcours SET version = version + 1, title_sort = ?, updated_at = ? WHERE id = ?', (title, now + n, key))
            database.execute('UPDATE parcours_card SET card = ? WHERE parcours_id = ?', (card + ' ', key))
            database.execute('UPDATE parcours_sheet SET sheet = ? WHERE parcours_id = ?', (sheet + ' ', key))
            if has_words:
                database.execute('INSERT OR REPLACE INTO parcours_search (rowid, words) VALUES (?, ?)', (key, f'{title} {sheet[:200]}'))
            database.execute(
                'INSERT OR REPLACE INTO parcours_revision VALUES (?, ?, ?, 1, NULL, ?, ?)', (key, version + 1, now + n, '["title"]', body))
            database.execute('COMMIT')
        used, clock = processor_s() - used, time.perf_counter() - clock
        pages = Path(f'{file}-wal').stat().st_size / (4096 + 24) / len(rows)
        print(f'{name}: {used * 1000 / len(rows):.3f} ms of processor time, {clock * 1000 / len(rows):.3f} ms by the clock, {pages:.0f} pages')


by_change = ['parcours_by_updated', 'parcours_by_owner', 'parcours_by_practice', 'parcours_by_level', 'parcours_in_order', 'parcours_by_feed']
without = [f'DROP INDEX {name}' for name in by_change]
measure('all indexes', [])
measure('no index by the last change', without)
measure('no words either', without, has_words=False)
