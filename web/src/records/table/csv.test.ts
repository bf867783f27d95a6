import { expect, it } from 'vitest'
import { decodeText, readCsv, separatorOf } from './csv'

const cellsOf = (text: string) => readCsv(text).map(({ cells }) => cells)

it.each([';', ',', '\t'])('reads a table separated by %j', (separator) => {
  const text = ['fichier', 'fiche'].join(separator) + '\r\n' + ['lac.jpg', 'Lac des Vaches'].join(separator) + '\r\n'
  expect(cellsOf(text)).toEqual([
    ['fichier', 'fiche'],
    ['lac.jpg', 'Lac des Vaches'],
  ])
})

it('does not count the separators between quotes', () => {
  expect(separatorOf('"a;b;c;d",file\n')).toBe(',')
  expect(cellsOf('file,title\n"a.jpg","Lac, le ""grand"""\n')).toEqual([
    ['file', 'title'],
    ['a.jpg', 'Lac, le "grand"'],
  ])
})

it('keeps the number of each line, with line breaks in quotes and empty lines', () => {
  expect(readCsv('file;title\n"a.jpg";"Lac\ndes Vaches"\n\n;\nb.jpg;12')).toEqual([
    { line: 1, cells: ['file', 'title'] },
    { line: 2, cells: ['a.jpg', 'Lac\ndes Vaches'] },
    { line: 6, cells: ['b.jpg', '12'] },
  ])
})

it('reads UTF-8 with its mark, UTF-16 and Windows-1252', () => {
  expect(decodeText(new TextEncoder().encode('\uFEFFété'))).toBe('été')
  expect(decodeText(new Uint8Array([0xff, 0xfe, 0xe9, 0x00]))).toBe('é')
  expect(decodeText(new Uint8Array([0xfe, 0xff, 0x00, 0xe9]))).toBe('é')
  const [big, little] = [0, 1].map(
    (odd) => new Uint8Array(['L', 'é'].flatMap((letter) => (odd ? [letter.charCodeAt(0), 0] : [0, letter.charCodeAt(0)]))),
  )
  expect([big, little].map((bytes) => decodeText(bytes ?? new Uint8Array()))).toEqual(['Lé', 'Lé'])
  expect(decodeText(new Uint8Array([0xe9, 0x74, 0xe9]))).toBe('été')
  const mixed = [...new TextEncoder().encode('\uFEFFÉtang à l’œil;For'), 0xea, 0x74]
  expect(decodeText(new Uint8Array(mixed))).toBe('Étang à l’œil;Forêt')
  // The first `É` and the space after it are the bytes of a letter in UTF-8.
  const old = [0x46, 0xc9, 0xa0, 0x3a, 0xe9, 0x74, 0xe9]
  expect(decodeText(new Uint8Array(old))).toBe('FÉ\u00a0:été')
})

it('finds no row in an empty file', () => expect(readCsv('\r\n')).toEqual([]))
