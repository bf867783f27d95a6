import { Fragment } from 'react'
import { diffWords } from './diff-words'

const marks = { same: 'span', out: 'del', in: 'ins' } as const

/** Two states of a text in one: what went is struck, what came is underlined. A space parts what neither text parts. */
export function Words({ before, after }: { before: string; after: string }) {
  const pieces = diffWords(before, after)
  return pieces.map(({ kind, text }, index) => {
    const Mark = marks[kind]
    const previous = pieces[index - 1]?.text ?? ' '
    return (
      <Fragment key={`${index} ${kind}`}>
        {!/\s$/.test(previous) && !/^\s/.test(text) && ' '}
        <Mark>{text}</Mark>
      </Fragment>
    )
  })
}
