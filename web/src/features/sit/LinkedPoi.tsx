import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { SitRecordPage } from '@/api/types'
import { useTranslation } from '@/i18n'
import { PublicationBadge } from '@/records/badge/record-badges'
import { Button } from '@/ui/button/Button'
import { toast, toastError } from '@/ui/feedback/toast'
import { textOf } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import { RecordPicker } from '@/records/picker/RecordPicker'
import { fieldWords, linkPoi, makePoi, refresh, unlinkPoi } from './data'
import classes from './sit.module.css'

/** The POI of a SIT record: created from it, linked to an existing one, or unlinked. */
export function LinkedPoi({ record }: { record: SitRecordPage }) {
  const { t } = useTranslation('sit')
  const cache = useQueryClient()
  const [chosen, setChosen] = useState<number | null>(null)
  const act = useMutation({
    mutationFn: ({ run }: { run: () => Promise<SitRecordPage>; confirmation: string }) => run(),
    onSuccess: async (_, { confirmation }) => {
      toast({ text: confirmation })
      await refresh(cache)
    },
    onError: (error) => toastError(problemText(error)),
  })
  const may = record.editable ? {} : { disabledReason: t('page.notAllowed') }
  const { poi } = record
  return (
    <section className={classes['card']} aria-labelledby="sit-poi">
      <h2 id="sit-poi">{t('poi.title')}</h2>
      {poi === null ? (
        <>
          <p className="muted">{t('poi.none')}</p>
          <Button
            look="soft"
            busy={act.isPending}
            {...may}
            onClick={() => act.mutate({ run: () => makePoi(record), confirmation: t('poi.made') })}
          >
            {t('poi.make')}
          </Button>
          <RecordPicker
            label={t('poi.which')}
            base="/api/v1/pois"
            queryKey={['poi']}
            query={{ owner: 'mine' }}
            value={chosen}
            onChange={setChosen}
          />
          <Button
            busy={act.isPending}
            {...(record.editable && chosen === null ? { disabledReason: t('poi.choose') } : may)}
            onClick={() => chosen !== null && act.mutate({ run: () => linkPoi(record, chosen), confirmation: t('poi.linked') })}
          >
            {t('poi.link')}
          </Button>
        </>
      ) : (
        <>
          {poi.title === null ? (
            <p>{t('poi.hidden')}</p>
          ) : (
            <p>
              {t('poi.is')}{' '}
              <Link to={'/pois/$id'} params={{ id: String(poi.id) }}>
                {textOf(poi.title)}
              </Link>{' '}
              <PublicationBadge record={{ published: poi.published }} />
            </p>
          )}
          <p className="small muted">{t('poi.follows')}</p>
          {poi.edited.length > 0 && (
            <>
              <p className="small">{t('poi.edited', { fields: poi.edited.map(fieldWords).join(', ') })}</p>
              <Button
                size="small"
                busy={act.isPending}
                {...may}
                onClick={() => act.mutate({ run: () => linkPoi(record, poi.id, poi.edited), confirmation: t('poi.taken') })}
              >
                {t('poi.take')}
              </Button>
            </>
          )}
          <Button
            size="small"
            look="ghost"
            busy={act.isPending}
            {...may}
            onClick={() => act.mutate({ run: () => unlinkPoi(record), confirmation: t('poi.unlinked') })}
          >
            {t('poi.unlink')}
          </Button>
        </>
      )}
    </section>
  )
}
