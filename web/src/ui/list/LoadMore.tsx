import type { ReactNode } from 'react'
import { Button } from '@/ui/button/Button'
import classes from './LoadMore.module.css'

/** What an infinite query knows of its pages. */
interface Pages {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

/** The foot of a list without page numbers: a button that reads the next rows, or words that say that there are no more. */
export function LoadMore({ pages, more, end }: { pages: Pages; more: ReactNode; end: ReactNode }) {
  if (!pages.hasNextPage) return <p className={`${classes['foot']} small muted`}>{end}</p>
  return (
    <div className={classes['foot']}>
      <Button busy={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
        {more}
      </Button>
    </div>
  )
}
