import IconBarrierBlock from '@tabler/icons-react/dist/esm/icons/IconBarrierBlock.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleDashed from '@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { useTranslation } from '@/i18n'
import { Badge } from '@/ui/badge/Badge'

/** The publication of a record. Without `mine`, the record belongs to the user's white-label. */
export interface Published {
  readonly published: boolean
  readonly mine?: boolean
  readonly published_on_mine?: boolean | null
}

/** Whether a record is published, the same in lists and on sheets; for a record of another white-label, also whether the user's own publishes it. */
export function PublicationBadge({ record: { published, mine = true, published_on_mine } }: { record: Published }) {
  const { t } = useTranslation()
  if (!mine && published_on_mine === true) {
    return (
      <Badge tone="lock" icon={IconCircleCheck}>
        {t('status.publishedOnMine')}
      </Badge>
    )
  }
  if (!published) return <Badge icon={IconCircleDashed}>{t('status.unpublished')}</Badge>
  return (
    <Badge tone={mine ? 'ok' : 'lock'} icon={IconCircleCheck}>
      {t(mine ? 'status.published' : 'status.publishedElsewhere')}
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

/** The white-label that owns the record, when it is another one. */
export function OwnerBadge({ name }: { name: string }) {
  return (
    <Badge tone="lock" icon={IconLock}>
      {name}
    </Badge>
  )
}
