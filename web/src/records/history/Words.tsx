import { diffWords } from './diff-words'

/** Two states of a text in one: what went is struck, what came is underlined. */
export function Words({ before, after }: { before: string; after: string }) {
  return diffWords(before, after).map(({ kind, text }, index) => {
    const key = `${index} ${kind}`
    if (kind === 'out') return <del key={key}>{text}</del>
    return kind === 'in' ? <ins key={key}>{text}</ins> : <span key={key}>{text}</span>
  })
}
