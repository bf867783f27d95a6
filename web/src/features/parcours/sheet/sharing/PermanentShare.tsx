import { useEffect, useRef } from 'react'
import { useTranslation } from '@/i18n'
import type { Shares } from '@/api/types'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { isFocusLost } from '@/ui/focus'
import { useSheet } from '../context'
import { LinkBox } from '@/ui/LinkBox'
import { QrCode } from '@/records/QrCode'
import classes from './sharing.module.css'
import { useShare } from './useShare'

/** The link for good: the same for ever, and alive while the parcours is published. */
export function PermanentShare({ shares, reason }: { shares: Shares; reason: string | undefined }) {
  const { t } = useTranslation('sheet')
  const { parcours } = useSheet()
  const make = useShare()
  const { permanent } = shares
  const place = useRef<HTMLDivElement>(null)
  const made = make.isSuccess && permanent !== null
  // The button that made the link goes away with the focus: the link takes it.
  useEffect(() => {
    if (made && isFocusLost()) place.current?.querySelector('input')?.focus()
  }, [made])
  return (
    <Card title={t('sharing.permanent')}>
      <p className="small muted" style={{ marginBottom: 10 }}>
        {t('sharing.permanentText')}
      </p>
      {permanent === null ? (
        <Button
          busy={make.isPending}
          disabledReason={reason ?? (parcours.published ? undefined : t('sharing.publishFirst'))}
          reasonShown
          onClick={() => make.mutate(null)}
        >
          {t('sharing.makePermanent')}
        </Button>
      ) : (
        <div className={classes['permanent']} ref={place}>
          <div className={classes['stack']}>
            <LinkBox url={permanent.url} label={t('sharing.permanentLabel')} works={parcours.published} />
            {!parcours.published && <Banner tone="warn">{t('sharing.asleep')}</Banner>}
          </div>
          {permanent.id !== undefined && (
            <QrCode
              path={`/api/v1/parcours/${parcours.id}/shares/${permanent.id}`}
              name={`parcours-${parcours.id}-qr`}
              taken={{ taken: true }}
            />
          )}
        </div>
      )}
    </Card>
  )
}
