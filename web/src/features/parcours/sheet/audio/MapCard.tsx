import { lazy, Suspense } from 'react'
import type { AudioWalkView } from '@/api/types'
import { useTranslation } from '@/i18n'
import { Card } from '@/ui/Card'
import { ErrorIsland } from '@/ui/feedback/ErrorIsland'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { useSheet } from '../context'
import classes from './audio.module.css'
import { lineOf } from './walk'

const StopsMap = lazy(() => import('./StopsMap'))

/** The stops on the trace; each can be moved there. */
export function MapCard({ view, chosen, choose }: { view: AudioWalkView; chosen: number; choose: (index: number) => void }) {
  const { t } = useTranslation('audioWalk')
  const { trace } = useSheet()
  const line = lineOf(trace)
  if (line.length < 2) return null
  return (
    <Card flush>
      <div className={classes['map']}>
        <ErrorIsland>
          <Suspense fallback={<Skeleton height="100%" />}>
            <StopsMap label={t('map.label')} line={line} still={!view.editable} chosen={chosen} choose={choose} />
          </Suspense>
        </ErrorIsland>
      </div>
      {view.editable && <p className={classes['hint']}>{t('map.hint')}</p>}
    </Card>
  )
}
