import type { WidgetFacts } from '@/api/types'
import { useDebouncedValue } from '@mantine/hooks'
import { queryOptions, useQuery, type QueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { payload } from '@/api/payload'
import { api, unwrap } from '@/api/client'
import { meQuery, useMe } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { Steps } from '@/ui/Steps'
import { vocabularyQuery } from '@/records/form/vocabulary'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { problemText } from '@/records/problem-text'
import { frameAddress, missing, type Choice } from './code'
import { CodeStep } from './CodeStep'
import { LookStep } from './LookStep'
import { WhatStep } from './WhatStep'
import classes from './widget.module.css'

export const texts = ['widget']

const widgetQuery = (whiteLabel: number) =>
  queryOptions({
    queryKey: ['widget', whiteLabel],
    queryFn: () => unwrap(api.GET('/api/v1/white-labels/{id}/widget', { params: { path: { id: whiteLabel } } })),
  })

export async function load({ queryClient }: { queryClient: QueryClient }): Promise<void> {
  const me = await queryClient.ensureQueryData(meQuery)
  await Promise.all([
    queryClient.prefetchQuery(widgetQuery(me.active_white_label_id)),
    queryClient.prefetchQuery(vocabularyQuery('practice_type')),
  ])
}

/** `/widget`: what to show on another site, a preview of it, and its code. */
export function Page() {
  const { t } = useTranslation('widget')
  usePageMeta([{ label: t('title') }])
  const me = useMe()
  const [choice, setChoice] = useState<Choice>({
    show: null,
    whiteLabel: me.active_white_label_id,
    parcours: null,
    which: 'all',
    ids: [],
    practices: [],
    themes: [],
    lang: payload().content_languages[0] ?? 'fr',
    color: null,
    height: 600,
  })
  // The step that the user tried to leave unfinished: its faults are shown.
  const [refused, setRefused] = useState<number | null>(null)
  const change = (changed: Partial<Choice>) => setChoice((before) => ({ ...before, ...changed }))
  const { data: facts, error } = useQuery(widgetQuery(choice.whiteLabel))
  const faults = missing(choice)
  return (
    <div className={classes['page']}>
      <PageHeader title={t('title')} facts={t('lead')} />
      <div className={classes['body']}>
        <Card>
          {error && (
            <Banner tone="danger" live="alert">
              {problemText(error)}
            </Banner>
          )}
          {facts?.open === false && <Banner tone="warn">{t('closed')}</Banner>}
          <Steps
            steps={[
              {
                title: t('step.what'),
                incomplete: faults.what !== null,
                refuse: () => setRefused(0),
                content: <WhatStep choice={choice} change={change} fault={refused === 0 ? faults.what : null} />,
              },
              {
                title: t('step.look'),
                incomplete: faults.color || faults.height,
                refuse: () => setRefused(1),
                content: (
                  <LookStep
                    choice={choice}
                    change={change}
                    own={facts?.color ?? ''}
                    faults={refused === 1 ? faults : { color: false, height: false }}
                  />
                ),
              },
              {
                title: t('step.code'),
                incomplete: false,
                content: facts === undefined ? <Skeleton height={160} /> : <CodeStep choice={choice} facts={facts} />,
              },
            ]}
          />
        </Card>
        <Preview choice={choice} facts={facts} complete={faults.what === null && !faults.color && !faults.height} />
      </div>
    </div>
  )
}

/** The preview of the widget, in the same page that a frame of another site gets. */
function Preview({ choice, facts, complete }: { choice: Choice; facts: WidgetFacts | undefined; complete: boolean }) {
  const { t } = useTranslation('widget')
  const address = facts === undefined || !complete ? null : frameAddress(choice, facts, `${payload().api_base}/widget/v1/frame`)
  // Not at each keystroke of a colour.
  const [shown] = useDebouncedValue(address, 300)
  return (
    <Card title={t('preview')} flush>
      <div className={classes['preview']}>
        {shown === null ? (
          <p className="muted">{t('previewLater')}</p>
        ) : (
          // oxlint-disable-next-line react/iframe-missing-sandbox -- our own page, which asks our own feed: in a sandbox it would come from nowhere
          <iframe key={shown} src={shown} title={t('previewTitle')} height={choice.height ?? 600} />
        )}
      </div>
    </Card>
  )
}
