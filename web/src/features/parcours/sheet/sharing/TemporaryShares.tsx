import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconQrcode from '@tabler/icons-react/dist/esm/icons/IconQrcode.mjs'
import { useState } from 'react'
import { useTranslation } from '@/i18n'
import type { Share, Shares } from '@/api/types'
import { useCan } from '@/api/session'
import { Badge, type Tone } from '@/ui/badge/Badge'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { ConfirmDialog } from '@/ui/dialog/ConfirmDialog'
import { Segments } from '@/ui/field/inputs'
import { format } from '@/ui/format'
import { useSheet } from '../context'
import { LinkBox } from '@/ui/LinkBox'
import { QrCode } from '@/records/QrCode'
import classes from './sharing.module.css'
import { useRevoke, useShare } from './useShare'

const lifetimes = { '1': 1, '7': 7, '30': 30 } as const
type Lifetime = keyof typeof lifetimes
const tones: Record<Share['state'], Tone> = { active: 'ok', expired: 'neutral', revoked: 'danger' }

/** Links that end on a date, for a published or an unpublished parcours; each can be revoked earlier. */
export function TemporaryShares({ shares, reason }: { shares: Shares; reason: string | undefined }) {
  const { t } = useTranslation('sheet')
  const make = useShare()
  const [days, setDays] = useState<Lifetime>('7')
  const [ending, setEnding] = useState<Share | null>(null)
  const end = useRevoke()
  return (
    <Card title={t('sharing.temporary')}>
      <p className="small muted" style={{ marginBottom: 10 }}>
        {t('sharing.temporaryText')}
      </p>
      <div className={classes['make']}>
        <Segments<Lifetime>
          label={t('sharing.days')}
          value={days}
          onChange={setDays}
          choices={[
            { value: '1', label: t('sharing.forDays', { count: 1 }) },
            { value: '7', label: t('sharing.forDays', { count: 7 }) },
            { value: '30', label: t('sharing.forDays', { count: 30 }) },
          ]}
        />
        <Button busy={make.isPending} disabledReason={reason} reasonShown onClick={() => make.mutate(lifetimes[days])}>
          {t('sharing.makeTemporary')}
        </Button>
      </div>
      {shares.temporary.length > 0 && (
        <ul className={classes['list']}>
          {shares.temporary.map((share) => (
            <TemporaryShare key={share.id} share={share} onEnd={() => setEnding(share)} />
          ))}
        </ul>
      )}
      <ConfirmDialog
        opened={ending !== null}
        onClose={() => setEnding(null)}
        danger
        title={t('sharing.revokeTitle')}
        confirm={t('sharing.revoke')}
        onConfirm={async () => {
          if (ending !== null) await end.mutateAsync(ending.id).catch(() => undefined)
          setEnding(null)
        }}
      >
        {t('sharing.revokeText')}
      </ConfirmDialog>
    </Card>
  )
}

function TemporaryShare({ share, onEnd }: { share: Share; onEnd: () => void }) {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const mayShare = useCan('content.share')
  const [qr, setQr] = useState(false)
  const active = share.state === 'active'
  const when = share.state === 'revoked' && share.revoked_at !== null ? share.revoked_at : (share.expires_at ?? share.created_at)
  return (
    <li className={classes['share']}>
      <div className={classes['shareHead']}>
        <Badge tone={tones[share.state]} icon={IconClock}>
          {t(`sharing.state.${share.state}`)}
        </Badge>
        <span className="small muted">
          {t(`sharing.until.${share.state}`, { when: format.instant(when) })}
          {share.created_by !== null && ` · ${t('sharing.by', { name: share.created_by.name })}`}
        </span>
        {active && (
          <span className={classes['shareButtons']}>
            <Button
              size="small"
              look="ghost"
              aria-expanded={qr}
              icon={<IconQrcode size={16} stroke={1.75} aria-hidden />}
              onClick={() => setQr(!qr)}
            >
              {t('sharing.qr')}
            </Button>
            <Button size="small" disabledReason={mayShare ? undefined : t('notAllowed')} onClick={onEnd}>
              {t('sharing.revoke')}
            </Button>
          </span>
        )}
      </div>
      {active && <LinkBox url={share.url} label={t('sharing.temporaryLabel', { when: format.instant(when) })} />}
      {active && qr && (
        <QrCode path={`/api/v1/parcours/${parcours.id}/shares/${share.id}`} name={`parcours-${parcours.id}-qr`} taken={{ taken: true }} />
      )}
    </li>
  )
}
