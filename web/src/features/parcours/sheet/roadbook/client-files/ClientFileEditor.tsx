import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import { useTranslation } from '@/i18n'
import type { ClientFileView, RoadbookSettings } from '@/api/types'
import { useMe } from '@/api/session'
import { Button } from '@/ui/button/Button'
import { Card } from '@/ui/Card'
import { Banner } from '@/ui/feedback/Banner'
import { Skeleton } from '@/ui/feedback/Skeleton'
import { closeToast, toast } from '@/ui/feedback/toast'
import { useDirtyCount } from '@/records/form/form-context'
import { LanguageSwitch } from '@/records/form/fields'
import { ReadOnlyContext } from '@/records/form/read-only'
import { ResourceForm, SaveButton } from '@/records/form/ResourceForm'
import { useResourceForm } from '@/records/form/useResourceForm'
import { problemText } from '@/records/problem-text'
import { useSheet } from '../../context'
import { Preview } from '../Preview'
import { PrintButton } from '../PrintButton'
import roadbook from '../roadbook.module.css'
import { SaveNote } from '../SaveNote'
import { StaysCard } from '../StaysCard'
import { atTheirNights } from '../values'
import { VouchersCard } from '../VouchersCard'
import { ClientCard } from './ClientCard'
import classes from './client-files.module.css'
import { clientFileQuery, clientFilesKey, createClientFile, saveClientFile } from './queries'
import type { WhichClientFile } from './useOpenClientFile'
import { clientFileDraft, newClientFile, toFile, toValues, type ClientFileValues } from './values'

interface Props {
  which: WhichClientFile
  /** The saved settings of the parcours' roadbook. */
  model: RoadbookSettings
  onBack: () => void
  /** A new file was saved. */
  onCreated: (id: number) => void
}

/** One client of a trip: the settings of their roadbook that differ, and that roadbook beside them. */
export function ClientFileEditor({ which, ...props }: Props) {
  if (which === 'new') return <ClientFileForm key="new" {...props} file={null} />
  return <SavedClientFile key={which} id={which} {...props} />
}

function SavedClientFile({ id, ...props }: Omit<Props, 'which'> & { id: number }) {
  const { t } = useTranslation('roadbook')
  const { parcours } = useSheet()
  const file = useQuery(clientFileQuery(parcours.id, id))
  if (file.isPending) {
    return (
      <Card title={t('clientFiles.one')}>
        <Skeleton height={320} />
      </Card>
    )
  }
  if (file.isError) {
    return (
      <>
        <Head title={t('clientFiles.one')} onBack={props.onBack} />
        <Banner
          tone="danger"
          live="alert"
          actions={
            <Button size="small" onClick={() => void file.refetch()}>
              {t('common:retry')}
            </Button>
          }
        >
          {t('because', { what: t('clientFiles.error.readOne'), why: problemText(file.error) })}
        </Banner>
      </>
    )
  }
  return <ClientFileForm {...props} file={file.data} />
}

/** Its name and the way back; the focus comes here when it opens. */
function Head({ title, onBack, children }: { title: string; onBack: () => void; children?: ReactNode }) {
  const { t } = useTranslation('roadbook')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className={classes['head']}>
      <Button size="small" icon={<IconArrowLeft size={16} stroke={1.75} aria-hidden />} onClick={onBack}>
        {t('clientFiles.back')}
      </Button>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </div>
  )
}

/** The life of the form: it is saved whole, as the roadbook is. */
function useClientFileForm(file: ClientFileView | null, onCreated: (id: number) => void) {
  const { t } = useTranslation('roadbook')
  const { parcours } = useSheet()
  const cache = useQueryClient()
  const done = useRef<number | null>(null)
  const typed = useRef<() => ClientFileValues>(() => toValues(file?.file ?? newClientFile, parcours.steps))
  const form = useResourceForm<ClientFileView, ClientFileValues>({
    // New files of two parcours have each their own draft.
    kind: file === null ? `client-file-of-${parcours.id}` : clientFileDraft,
    record: file,
    toValues: (record) => toValues(record?.file ?? newClientFile, parcours.steps),
    titleOf: ({ reference, clients }) => [reference, ...clients].filter((name) => name !== '').join(', '),
    save: async (_, version) => {
      // The message of the save before says nothing about this one.
      if (done.current !== null) closeToast(done.current)
      const values = typed.current()
      try {
        return await (file === null
          ? createClientFile(parcours.id, toFile(values))
          : saveClientFile(parcours.id, file.id, version ?? file.version, toFile(values)))
      } catch (error) {
        throw atTheirNights(error, values.stays)
      }
    },
    onSaved: (saved) => {
      cache.setQueryData(clientFileQuery(parcours.id, saved.id).queryKey, saved)
      void cache.invalidateQueries({ queryKey: [...clientFilesKey(parcours.id), 'list'] })
      done.current = toast({ text: t('clientFiles.saved') })
      if (file === null) onCreated(saved.id)
    },
  })
  const { store, draft, restoreDraft } = form
  useEffect(() => {
    typed.current = () => store.values
  }, [store])
  // A draft of the saved version (the user left the file and came back) is restored; an older draft is offered.
  const fresh = draft !== null && file !== null && draft.version === file.version
  useEffect(() => {
    if (fresh) restoreDraft()
  }, [fresh, restoreDraft])
  return form
}

function ClientFileForm({ file, model, onBack, onCreated }: Omit<Props, 'which'> & { file: ClientFileView | null }) {
  const { t } = useTranslation('roadbook')
  const me = useMe()
  const form = useClientFileForm(file, onCreated)
  const editable = file?.editable ?? true
  return (
    <ReadOnlyContext value={!editable}>
      <ResourceForm
        inside
        form={form}
        saveError={t('clientFiles.error.save')}
        fieldLabel={(path) => t(`field.${path.split('.')[0] ?? ''}` as 'field.clients')}
        savedBy={(current: ClientFileView) => ({
          name: current.updated_by === null ? '' : current.updated_by.id === me.id ? t('yourself') : current.updated_by.name,
          at: current.updated_at,
        })}
      >
        <Head
          title={file === null ? t('clientFiles.newTitle') : t('clientFiles.oneNamed', { reference: file.file.reference })}
          onBack={onBack}
        />
        {!editable && (
          <div className={classes['locked']}>
            <Banner tone="lock">{t('clientFiles.locked')}</Banner>
          </div>
        )}
        <div className={roadbook['bar']}>
          <SaveNote form={form} saved={file} never={t('clientFiles.neverSaved')} />
          <LanguageSwitch />
          <PrintSaved file={file} form={form} />
          {editable && <SaveButton form={form} look="default" create={t('clientFiles.create')} />}
        </div>
        <div className={roadbook['desk']}>
          <div className={roadbook['cards']}>
            <ClientCard same={file?.same_reference ?? []} />
            <StaysCard model={model} />
            <VouchersCard model={model} />
          </div>
          <div className={roadbook['preview']}>
            <Preview store={form.store} settingsOf={() => model} clientOf={(values) => ({ id: file?.id ?? null, file: toFile(values) })} />
          </div>
        </div>
      </ResourceForm>
    </ReadOnlyContext>
  )
}

/** The PDF of this client, from the saved values. */
function PrintSaved({ file, form }: { file: ClientFileView | null; form: ReturnType<typeof useClientFileForm> }) {
  const { t } = useTranslation('roadbook')
  const sheet = useSheet()
  const typed = useDirtyCount(form.store) + useDirtyCount(sheet.form.store) > 0
  return (
    <PrintButton clientFile={file?.id} disabledReason={file === null || typed ? t('download.saveFirst') : undefined}>
      {t('clientFiles.print')}
    </PrintButton>
  )
}
