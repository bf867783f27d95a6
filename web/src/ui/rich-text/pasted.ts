/**
 * Pasted HTML with the shapes that the editor has. Word writes lists as paragraphs with their number or bullet in the text, and the
 * editor has neither tables nor headings of the first two levels.
 */
export function adaptPasted(html: string): string {
  const page = new DOMParser().parseFromString(html, 'text/html')
  makeLists(page)
  page.querySelectorAll('ol[start]').forEach((list) => setStart(list, Number(list.getAttribute('start'))))
  page.querySelectorAll('h1, h2, p.MsoTitle').forEach((heading) => rename(heading, 'h3'))
  page.querySelectorAll('h5, h6').forEach((heading) => rename(heading, 'h4'))
  // Inner tables first: they are rows of text by the time the outer one is read.
  for (const table of [...page.querySelectorAll('table')].toReversed()) flatten(table)
  return page.body.innerHTML
}

function rename(element: Element, name: string): void {
  const renamed = element.ownerDocument.createElement(name)
  renamed.append(...element.childNodes)
  element.replaceWith(renamed)
}

/** The highest number that a list may begin with; the server takes no other. */
const MAX_START = 9999

/** Numbers the items of a list from `start`. */
function setStart(list: Element, start: number): void {
  if (Number.isInteger(start) && start > 1 && start <= MAX_START) list.setAttribute('start', String(start))
  else list.removeAttribute('start')
}

interface OpenList {
  level: number
  /** Word's name of the list, and whether it is numbered: another one begins another list. */
  key: string
  list: Element
}

/** Makes `ul` and `ol` of Word's list paragraphs: `mso-list:l0 level1 lfo1`. */
function makeLists(page: Document): void {
  let open: OpenList[] = []
  for (const paragraph of page.querySelectorAll('p[style*="mso-list"]')) {
    const style = paragraph.getAttribute('style') ?? ''
    const marks = [...paragraph.querySelectorAll('[style*="mso-list"]')].filter((mark) =>
      /mso-list:\s*ignore/i.test(mark.getAttribute('style') ?? ''),
    )
    const mark = marks[0]?.textContent.trim() ?? ''
    marks.forEach((one) => one.remove())
    const name = /mso-list:\s*(\w+)/.exec(style)?.[1]
    // `mso-list:none`: a paragraph that Word has taken out of its list.
    if (name === undefined || name === 'none' || name === 'skip') continue
    const level = Number(/level(\d+)/.exec(style)?.[1] ?? 1)
    // « 1. », « 1 – », « 1° », « a) », « (iv) » are numbers; « · », « – », « o », « § », « Ø » are bullets.
    const tag = /^\(?(\p{N}|\p{L}[\p{L}\p{N}]*\s*[.)°/–—-])/u.test(mark) ? 'ol' : 'ul'
    const key = `${name} ${tag}`
    if (open[0]?.list !== paragraph.previousElementSibling) open = []
    open = open.filter((one) => one.level < level || (one.level === level && one.key === key))
    const parent = open.at(-1)
    let list = parent?.list
    if (parent === undefined || list === undefined || parent.level < level) {
      list = page.createElement(tag)
      // « 3. » after a paragraph: the list goes on. Of « 1.2. » the item is number 2; letters are not counted.
      if (tag === 'ol') setStart(list, Number(/(\d+)[\s.)°/–—-]*$/.exec(mark)?.[1] ?? 1))
      const item = parent?.list.lastElementChild
      if (item) item.append(list)
      else paragraph.before(list)
      open.push({ level, key, list })
    }
    const item = page.createElement('li')
    item.append(...paragraph.childNodes)
    list.append(item)
    paragraph.remove()
  }
}

/** Makes a paragraph of each row, its cells parted by a dash. A row of one cell keeps the paragraphs of the cell. */
function flatten(table: HTMLTableElement): void {
  const page = table.ownerDocument
  const rows = [...table.rows].flatMap((row): Node[] => {
    const cells = [...row.cells].filter((cell) => cell.textContent.trim() !== '')
    if (cells.length === 1 && row.cells.length === 1) return cells.flatMap((cell) => [...cell.childNodes])
    const line = page.createElement('p')
    for (const [number, cell] of cells.entries()) {
      cell.querySelectorAll('p, div, h1, h2, h3, h4, h5, h6').forEach((block) => block.replaceWith(...block.childNodes, ' '))
      trimEnds(cell)
      line.append(...(number > 0 ? [' – '] : []), ...cell.childNodes)
    }
    return line.hasChildNodes() ? [line] : []
  })
  table.replaceWith(...(table.caption ? [...table.caption.childNodes] : []), ...rows)
}

/** Takes the blanks away with which the text of an element begins and ends. */
function trimEnds(element: Element): void {
  const texts = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const all: Text[] = []
  while (texts.nextNode()) if (texts.currentNode instanceof Text) all.push(texts.currentNode)
  const filled = all.filter(({ data }) => data.trim() !== '')
  const [first, last] = [filled[0], filled.at(-1)]
  for (const text of all) {
    if (text === first) break
    text.data = ''
  }
  for (const text of all.toReversed()) {
    if (text === last) break
    text.data = ''
  }
  if (first) first.data = first.data.trimStart()
  if (last) last.data = last.data.trimEnd()
}
