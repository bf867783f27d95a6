/** One piece of a compared text. */
export interface Piece {
  kind: 'same' | 'out' | 'in'
  text: string
}

/** Longer texts are shown as replaced in whole: comparing them word by word takes too much memory. */
const maxWords = 1500

const wordsOf = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? []

/** Words struck and words underlined: the longest common run of words stays. */
export function diffWords(before: string, after: string): Piece[] {
  const [a, b] = [wordsOf(before), wordsOf(after)]
  if (a.length > maxWords || b.length > maxWords) return [...piece('out', before), ...piece('in', after)]
  const width = b.length + 1
  const common = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const down = common[(i + 1) * width + j] ?? 0
      const right = common[i * width + j + 1] ?? 0
      common[i * width + j] = a[i] === b[j] ? (common[(i + 1) * width + j + 1] ?? 0) + 1 : Math.max(down, right)
    }
  }
  const pieces: Piece[] = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]]
    if (left !== undefined && left === right) {
      add(pieces, 'same', left)
      i++
      j++
    } else if (left !== undefined && (right === undefined || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))) {
      add(pieces, 'out', left)
      i++
    } else if (right !== undefined) {
      add(pieces, 'in', right)
      j++
    }
  }
  return pieces
}

const piece = (kind: Piece['kind'], text: string): Piece[] => (text === '' ? [] : [{ kind, text }])

function add(pieces: Piece[], kind: Piece['kind'], text: string): void {
  const last = pieces.at(-1)
  if (last?.kind === kind) last.text += text
  else pieces.push({ kind, text })
}
