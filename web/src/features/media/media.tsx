import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Media, MediaKind } from '@/api/types'
import { useCan } from '@/api/session'
import { translate, useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { lazyDialog } from '@/ui/dialog/lazy-dialog'
import { toastError } from '@/ui/feedback/toast'
import { textOf } from '@/ui/format'
import { OwnerBadge, PublicationBadge } from '@/records/badge/record-badges'
import type { BulkAction } from '@/records/list/BulkActions'
import { labelOf, type ResourceDef } from '@/records/resource/define'
import { OnMine } from '@/records/resource/ownership'
import { pagesOf } from '@/records/resource/pages'
import { CreditInput, TranslationsInput } from './bulk-inputs'
import { Cards } from './Cards'
import { Files, Framing, Place, Uses, Words } from './fields'
import { openImports, useImportOpen } from './import/open'
import { mediaFacts } from './facts'
import { Preview } from './Preview'
import { DuplicateNotice } from './DuplicateNotice'

const base = '/api/v1/medias'
const ImportPanel = lazyDialog(() => import('./import/ImportDrawer'))
export const kinds = ['image', 'video', 'audio', 'pdf', 'font'] as const satisfies readonly MediaKind[]

const def: ResourceDef<Media> = {
  kind: 'media',
  queryKey: ['media'],
  base,
  path: '/medias',
  placeOf: (id) => `/medias/${id}`,
  area: 'media',
  group: 'contents',
  may: 'content.write',
  abilities: { history: true, uses: true, create: false },
  titleOf: ({ legend, file_name: name }) => textOf(legend, name),
  list: {
    config: { filterKeys: ['kind', 'lacking', 'unused', 'owner'], defaultSort: '-updated_at', perPage: 50, unless: { owner: 'all' } },
    useColumns: () => [],
    useFilters() {
      const { t } = useTranslation('media')
      return [
        {
          key: 'kind',
          label: labelOf('media', 'kind'),
          kind: 'many',
          choices: kinds.map((kind) => ({ value: kind, label: t(`kind.${kind}`) })),
        },
        {
          key: 'lacking',
          label: t('lacking.label'),
          kind: 'many',
          choices: (['legend', 'copyright', 'alt'] as const).map((what) => ({ value: what, label: t(`lacking.${what}`) })),
        },
        { key: 'unused', label: t('unused'), kind: 'switch' },
        {
          key: 'owner',
          label: t('owner'),
          kind: 'one',
          choices: (['mine', 'shared'] as const).map((value) => ({ value, label: t(`owners.${value}`) })),
        },
      ]
    },
    useSorts() {
      const { t } = useTranslation('media')
      return (['-updated_at', 'title', '-bytes'] as const).map((value) => ({ value, label: t(`sort.${value}`) }))
    },
    useBulk(): BulkAction[] {
      const { t } = useTranslation('media')
      const navigate = useNavigate()
      return [
        {
          action: 'attach',
          label: t('bulk.attach'),
          open: (target) =>
            void navigate({ to: '/medias/rattacher', search: 'ids' in target ? { ids: target.ids.join(',') } : target.filter }),
        },
        { action: 'set_copyright', label: t('bulk.set_copyright'), Input: CreditInput },
        { action: 'set_legend', label: t('bulk.set_legend'), Input: TranslationsInput },
        { action: 'set_alt', label: t('bulk.set_alt'), Input: TranslationsInput },
        { action: 'delete', label: t('bulk.delete') },
      ]
    },
    Body: Cards,
    Actions: ImportButton,
    table: 'content.write',
  },
  form: {
    toValues: (record) => ({
      legend: record?.legend ?? {},
      alt: record?.alt ?? {},
      copyright: record?.copyright ?? null,
      licence: record?.licence ?? null,
      file_name: record?.file_name ?? '',
      location: record?.location ?? null,
      focal: record?.focal ?? { x: 0.5, y: 0.5 },
      crop: record?.crop ?? null,
    }),
    sections: [
      { key: 'words', names: ['legend', 'alt', 'copyright', 'licence', 'file_name'], Fields: Words },
      { key: 'framing', names: ['focal', 'crop'], has: ({ kind }) => kind === 'image', Fields: Framing },
      { key: 'place', names: ['location'], has: ({ kind }) => kind !== 'pdf' && kind !== 'font', Fields: Place },
      { key: 'files', names: [], onlySaved: true, Fields: Files },
      { key: 'uses', names: [], onlySaved: true, Fields: Uses },
    ],
    Aside: ({ record }) => record && <Preview record={record} />,
    Facts: ({ record }) => (
      <>
        {/* A media file is public while a published record shows it; it has no publication of its own, except on the user's white-label. */}
        {record.published_on_mine === true && <PublicationBadge record={record} />}
        {!record.mine && <OwnerBadge name={record.white_label.name} />}
        <span>{mediaFacts(record)}</span>
      </>
    ),
    Actions: ({ record }) => (record.mine ? null : <OnMine base={base} record={record} />),
    Notices: DuplicateNotice,
  },
}

/** The button, the drawer it opens, and the whole page as a place to drop files on. */
function ImportButton() {
  const { t } = useTranslation('media')
  const may = useCan('content.write')
  const open = useImportOpen()
  const [over, setOver] = useState(false)
  useEffect(() => {
    if (!may) return undefined
    // A field for a file takes what is dropped on it.
    const isForField = ({ target }: DragEvent) => target instanceof Element && target.closest('input[type=file]') !== null
    const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true && !isForField(event)
    const onOver = (event: DragEvent) => {
      if (!holdsFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const onLeave = (event: DragEvent) => event.relatedTarget === null && setOver(false)
    const onDrop = (event: DragEvent) => {
      setOver(false)
      if (event.defaultPrevented || !holdsFiles(event)) return
      event.preventDefault()
      const files = [...(event.dataTransfer?.files ?? [])]
      import('./import/running').then(
        ({ running }) => running.add(files),
        () => toastError(translate('notOpened')),
      )
      openImports(true)
    }
    window.addEventListener('dragover', onOver)
    window.addEventListener('dragleave', onLeave)
    window.addEventListener('drop', onDrop)
    return () => {
      window.removeEventListener('dragover', onOver)
      window.removeEventListener('dragleave', onLeave)
      window.removeEventListener('drop', onDrop)
    }
  }, [may])
  return (
    <>
      <Button
        look="primary"
        data-over={over || undefined}
        icon={<IconUpload size={18} stroke={1.75} aria-hidden />}
        disabledReason={may ? undefined : t('resource:notAllowed')}
        onClick={() => openImports(true)}
      >
        {t(over ? 'import.letGo' : 'import.button')}
      </Button>
      {open && <ImportPanel onClose={() => openImports(false)} />}
    </>
  )
}

export const media = pagesOf(def)
