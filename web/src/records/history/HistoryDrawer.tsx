import { Drawer } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { textFor, useTranslation } from '@/i18n'
import type { RevisionRow } from '@/api/types'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { Checkbox } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import { useReturnFocus } from '@/ui/dialog/useReturnFocus'
import { usePhone } from '@/ui/usePhone'
import classes from './history.module.css'

const widthPx = 560

export interface HistoryDrawerProps {
  /** Every save, newest first. */
  list: UseQueryResult<RevisionRow[]>
  /** The version in use. */
  version: number
  onClose: () => void
  /** The page stays visible beside the drawer: a map on which two versions are drawn. */
  beside?: boolean
  /** The label of a field. */
  nameOf: (field: string) => string
  /** What changed between two versions; `done` is called once something was restored. */
  renderComparison: (compared: { older: number; newer: number; done: () => void }) => ReactNode
}

/** Every save; one that is ticked is compared with the version in use, two with each other. */
export function HistoryDrawer({ list, version, nameOf, onClose, beside = false, renderComparison }: HistoryDrawerProps) {
  const { t } = useTranslation('history')
  const below = usePhone() && beside
  const [ticked, setTicked] = useState<readonly number[]>([])
  // It is taken away without being closed first: it gives no focus back itself.
  useReturnFocus()
  const title = useRef<HTMLHeadingElement>(null)
  const [restored, setRestored] = useState(0)
  useEffect(() => {
    // The comparison went away with its buttons.
    if (restored > 0) title.current?.focus()
  }, [restored])
  const done = () => {
    setTicked([])
    setRestored((times) => times + 1)
  }
  // A third tick takes the place of the oldest one: there are always at most two.
  const tick = (one: number, on: boolean) => setTicked(on ? [...ticked.slice(-1), one] : ticked.filter((other) => other !== one))
  const compared = ticked.length === 1 ? [...ticked, version] : ticked
  const [older, newer] = [...new Set(compared)].sort((a, b) => a - b)
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position={below ? 'bottom' : 'right'}
      size={below ? '56%' : beside ? widthPx - 140 : widthPx}
      zIndex={200}
      classNames={{ content: classes['content'] ?? '' }}
    >
      <Drawer.Overlay {...(beside ? { backgroundOpacity: 0.08 } : {})} />
      <Drawer.Content>
        {/* A plain box: the library's own header would be a second banner of the page. */}
        <div className={classes['header']}>
          <Drawer.Title ref={title} tabIndex={-1} className={classes['title'] ?? ''}>
            {t('title')}
          </Drawer.Title>
          <Drawer.CloseButton aria-label={t('common:close')} />
        </div>
        <Drawer.Body className={classes['body'] ?? ''}>
          {!list.isError && <p className="small muted">{t('how')}</p>}
          {list.isPending && <Skeleton height={180} />}
          {list.isError && <Banner tone="danger">{problemText(list.error)}</Banner>}
          <ul className={classes['list']} data-comparing={newer !== undefined || undefined}>
            {(list.data ?? []).map((row) => (
              <Line
                key={row.version}
                row={row}
                nameOf={nameOf}
                current={row.version === version}
                ticked={ticked.includes(row.version)}
                onTick={(on) => tick(row.version, on)}
              />
            ))}
          </ul>
          {older !== undefined && newer !== undefined && renderComparison({ older, newer, done })}
          {ticked.length === 1 && newer === undefined && <p className="small muted">{t('isCurrent')}</p>}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  )
}

function Line({
  row,
  nameOf,
  current,
  ticked,
  onTick,
}: {
  row: RevisionRow
  nameOf: (field: string) => string
  current: boolean
  ticked: boolean
  onTick: (on: boolean) => void
}) {
  const { t } = useTranslation('history')
  const who = row.user?.name ?? t('automatic')
  const fields = row.fields.includes('*') ? t('made') : format.list(row.fields.map(nameOf))
  return (
    <li className={classes['line']}>
      <Checkbox
        checked={ticked}
        onChange={onTick}
        label={
          <>
            <strong>{who}</strong> <span className="muted">{format.instant(row.at)}</span>{' '}
            {current && <span className={classes['now']}>{t('current')}</span>}
          </>
        }
        hint={
          <>
            {row.reason !== null && `${textFor(`history:reason.${row.reason}`) ?? row.reason} · `}
            {fields === '' ? t('nothing') : fields}
          </>
        }
      />
    </li>
  )
}
