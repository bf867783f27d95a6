// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { adaptPasted } from './pasted'

/** A list paragraph as Word puts it on the clipboard. */
const listed = (list: string, mark: string, words: string) =>
  `<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:${list}'><![if !supportLists]><span><span style='mso-list:Ignore'>${mark}` +
  `<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${words}</p>`
/** Without the empty marks that the editor leaves out, and what is between the blocks. */
const adapted = (html: string) =>
  adaptPasted(html)
    .replace(/<!--.*?-->|<span>\s*<\/span>/g, '')
    .replace(/\s*\n\s*/g, '')

it('makes lists of the list paragraphs of Word, without the numbers and bullets in their text', () => {
  const html = [
    '<p>Venir :</p>',
    listed('l0 level1 lfo1', '1.', 'Train'),
    listed('l0 level2 lfo1', 'a)', '<b>TER</b> 12'),
    listed('l0 level2 lfo1', 'b)', 'TGV'),
    listed('l0 level1 lfo1', '2.', 'Car'),
    listed('l1 level1 lfo2', '·', 'Eau'),
    listed('l1 level1 lfo2', 'o', 'Pain'),
    '<p>Puis :</p>',
    listed('l1 level1 lfo2', '·', 'Carte'),
  ].join('\n')
  expect(adapted(html)).toBe(
    '<p>Venir :</p><ol><li>Train<ol><li><b>TER</b> 12</li><li>TGV</li></ol></li><li>Car</li></ol>' +
      '<ul><li>Eau</li><li>Pain</li></ul><p>Puis :</p><ul><li>Carte</li></ul>',
  )
})

it.each(['1.', '1-', '1°', '1/', '1 –', '1.1.', 'a)', 'a-', 'A –', '(iv)'])('reads « %s » of Word as a number', (mark) => {
  expect(adapted(listed('l0 level1 lfo1', mark, 'Train'))).toBe('<ol><li>Train</li></ol>')
})

it.each(['·', 'o', '§', 'Ø', 'ü', 'v', '-', '–'])('reads « %s » of Word as a bullet', (mark) => {
  expect(adapted(listed('l0 level1 lfo1', mark, 'Train'))).toBe('<ul><li>Train</li></ul>')
})

it('goes on with the number of Word after a paragraph', () => {
  const html = [
    listed('l0 level1 lfo1', '1.', 'Train'),
    listed('l0 level1 lfo1', '2.', 'Car'),
    '<p>Attendre.</p>',
    listed('l0 level1 lfo1', '3.', 'Bateau'),
    listed('l0 level2 lfo1', '3.2.', 'Bac'),
    listed('l0 level1 lfo1', '4.', 'Marche'),
  ].join('')
  expect(adapted(html)).toBe(
    '<ol><li>Train</li><li>Car</li></ol><p>Attendre.</p><ol start="3"><li>Bateau<ol start="2"><li>Bac</li></ol></li><li>Marche</li></ol>',
  )
  expect(adapted(listed('l0 level1 lfo1', 'c)', 'Bateau'))).toBe('<ol><li>Bateau</li></ol>')
})

it('keeps the number that a list begins with where it may be stored', () => {
  expect(adapted('<ol start="3"><li>Car</li></ol>')).toBe('<ol start="3"><li>Car</li></ol>')
  for (const other of ['1', '0', '-2', '10000', 'x'])
    expect(adapted(`<ol start="${other}"><li>Car</li></ol>`)).toBe('<ol><li>Car</li></ol>')
})

it('takes the levels of headings that the editor has', () => {
  expect(adapted('<h1>Un</h1><h2>Deux <i>fois</i></h2><h3>Trois</h3><h5>Cinq</h5><p class="MsoTitle">Titre</p>')).toBe(
    '<h3>Un</h3><h3>Deux <i>fois</i></h3><h3>Trois</h3><h4>Cinq</h4><h3>Titre</h3>',
  )
})

it('makes a line of each row of a table, and parts its cells', () => {
  const table = `<table><tbody>
    <tr><td><p>Lundi</p></td><td> <p><b>9 h</b></p><p>14 h</p> </td><td></td></tr>
    <tr><td>Mardi</td><td><a href="https://x.example">10 h</a></td></tr></tbody></table>`
  expect(adapted(table)).toBe('<p>Lundi – <b>9 h</b> 14 h</p><p>Mardi – <a href="https://x.example">10 h</a></p>')
  expect(adapted('<table><tr><td><p>Un</p><p>Deux</p></td></tr></table>')).toBe('<p>Un</p><p>Deux</p>')
})

it('leaves what the editor has as it is', () => {
  const html = '<p data-pm-slice="1 1 []">Au <strong>bord</strong></p><ul><li><p>Eau</p></li></ul><h3>Là</h3>'
  expect(adaptPasted(html)).toBe(html)
})
