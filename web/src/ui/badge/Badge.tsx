import type { Icon } from '@tabler/icons-react'
import IconBarrierBlock from '@tabler/icons-react/dist/esm/icons/IconBarrierBlock.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleDashed from '@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import type { ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import classes from './Badge.module.css'

export type Tone = 'neutral' | 'ok' | 'warn' | 'danger' | 'info' | 'lock'

/** A status: an icon and words, never a bare dot. */
export function Badge({ tone = 'neutral', icon: Mark, children, title }: { tone?: Tone; icon?: Icon; children: ReactNode; title?: string }) {
  return (
    <span className={classes['badge']} data-tone={tone} title={title}>
      {Mark && <Mark size={14} stroke={2} aria-hidden />}
      {children}
    </span>
  )
}

/** What belongs to somebody and may be shown by others: published by its owner, and here too or not. */
export function OwnedPublication({ record }: { record: { mine: boolean; published: boolean; published_on_mine?: boolean | null } }) {
  return <PublicationBadge published={record.published} onMine={!record.mine && record.published_on_mine === true} />
}

/** Published or not; of what belongs to others, published on one's own white-label too. */
export function PublicationBadge({ published, onMine = false }: { published: boolean; onMine?: boolean }) {
  const { t } = useTranslation()
  if (!published) return <Badge icon={IconCircleDashed}>{t('status.unpublished')}</Badge>
  return (
    <Badge tone={onMine ? 'lock' : 'ok'} icon={IconCircleCheck}>
      {t(onMine ? 'status.publishedOnMine' : 'status.published')}
    </Badge>
  )
}

/** A parcours that is closed somewhere today. */
export function ClosedBadge() {
  const { t } = useTranslation()
  return (
    <Badge tone="danger" icon={IconBarrierBlock}>
      {t('status.closed')}
    </Badge>
  )
}

/** Whose it is, when it is another white-label's. */
export function OwnerBadge({ name }: { name: string }) {
  return (
    <Badge tone="lock" icon={IconLock}>
      {name}
    </Badge>
  )
}

/** A number beside a title or a tab. */
export function Count({ children }: { children: ReactNode }) {
  return <span className={classes['count']}>{children}</span>
}
