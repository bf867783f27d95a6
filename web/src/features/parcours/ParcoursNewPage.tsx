import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { api, unwrap } from '@/api/client'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Button, ButtonLink } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { Field } from '@/ui/field/Field'
import { Radios, SelectInput, TextInput } from '@/ui/field/inputs'
import { useVocabulary, vocabularyQuery } from '@/ui/form/vocabulary'
import { usePageMeta } from '@/ui/page-meta'
import { PageHeader } from '@/ui/PageHeader'
import { problemText } from '@/ui/problem-text'
import classes from './new/new.module.css'

export const texts = ['parcours']

export const load = ({ queryClient }: { queryClient: QueryClient }) => queryClient.ensureQueryData(vocabularyQuery('practice_type'))

/** `/parcours/new`: what a trace needs to be planned; the rest is written on the sheet. */
export function Page() {
  const { t } = useTranslation('parcours')
  usePageMeta([{ label: t('crumb.contents') }, { label: t('list.title'), link: { to: '/parcours' } }, { label: t('new.title') }])
  const navigate = useNavigate()
  const client = useQueryClient()
  const mayWrite = useCan('content.write')
  const practices = useVocabulary('practice_type')
  const [title, setTitle] = useState('')
  const [practice, setPractice] = useState<string | null>(null)
  const [shape, setShape] = useState<'loop' | 'oneway' | null>(null)
  const [asked, setAsked] = useState(false)
  const create = useMutation({
    mutationFn: () =>
      unwrap(api.POST('/api/v1/parcours', { body: { title: { fr: title.trim() }, practice_type_id: Number(practice), is_loop: shape === 'loop' } })),
    onSuccess: async ({ id }) => {
      await client.invalidateQueries({ queryKey: ['parcours'] })
      await navigate({ to: '/parcours/$id/edit-trace', params: { id: String(id) } })
    },
  })
  const missing = {
    title: title.trim() === '' ? t('new.titleMissing') : undefined,
    practice: practice === null ? t('new.practiceMissing') : undefined,
    shape: shape === null ? t('new.shapeMissing') : undefined,
  }
  const incomplete = Object.values(missing).some((why) => why !== undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked(true)
    if (!incomplete) create.mutate()
  }
  const fault = (why: string | undefined) => (asked && why !== undefined ? { error: why } : {})
  return (
    <div className={classes['page']}>
      <PageHeader title={t('new.title')} />
      <Card>
        <form className={classes['form']} onSubmit={submit} noValidate>
          <p className={classes['lead']}>{t('new.lead')}</p>
          {create.error && (
            <Banner tone="danger" live="alert">
              {t('failed.save')} {problemText(create.error)}
            </Banner>
          )}
          <Field label={t('new.name')} required {...fault(missing.title)}>
            {(wiring) => <TextInput {...wiring} value={title} onChange={setTitle} maxLength={200} autoFocus />}
          </Field>
          <Field label={t('new.practice')} required {...fault(missing.practice)}>
            {(wiring) => <SelectInput {...wiring} value={practice} onChange={setPractice} choices={practices.choices} empty={t('new.choose')} />}
          </Field>
          <Radios label={t('new.shape')} value={shape} onChange={setShape} choices={[{ value: 'loop', label: t('fact.loop') }, { value: 'oneway', label: t('fact.oneWay') }]} />
          {asked && missing.shape !== undefined && (
            <p className={classes['fill']} role="alert">
              {missing.shape}
            </p>
          )}
          {asked && incomplete && (
            <p className={classes['fill']} role="alert">
              {t('common:fillAll')}
            </p>
          )}
          <div className={classes['actions']}>
            <ButtonLink to="/parcours">{t('common:cancel')}</ButtonLink>
            <Button type="submit" look="primary" busy={create.isPending} disabledReason={mayWrite ? undefined : t('menu.readOnly')}>
              {t('new.create')}
            </Button>
          </div>
        </form>
      </Card>
    </div>
  )
}
