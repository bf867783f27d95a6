import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { resourceApi } from '@/api/resource'
import type { MediaKind, Media } from '@/api/types'
import { useCan } from '@/api/session'
import { useTranslation } from '@/i18n'
import { Button } from '@/ui/button/Button'
import { Dialog } from '@/ui/dialog/Dialog'
import { Banner } from '@/ui/feedback/Banner'
import { TextInput } from '@/ui/field/inputs'
import { textOf } from '@/ui/format'
import { problemText } from '@/records/problem-text'
import classes from './MediaPicker.module.css'
import { MediaThumb } from './MediaThumb'
import { PickerUpload } from './PickerUpload'

export interface MediaPickerProps {
  title: string
  kind?: MediaKind
  many: boolean
  taken: readonly number[]
  onClose: () => void
  onPick: (ids: number[]) => void
}

/** The media library in a dialog: search, tick, confirm. */
export default function MediaPicker({ title, kind, many, taken, onClose, onPick }: MediaPickerProps) {
  const { t } = useTranslation()
  const mayAdd = useCan('content.write')
  const [search, setSearch] = useState('')
  const [words] = useDebouncedValue(search, 250)
  const [page, setPage] = useState(1)
  const [ticked, setTicked] = useState<readonly number[]>([])
  const found = useQuery({
    queryKey: ['media', 'list', 'picker', kind ?? 'any', words, page],
    queryFn: () =>
      resourceApi<Media>('/api/v1/medias').list({
        kind,
        search: words === '' ? undefined : words,
        page,
        per_page: 25,
        sort: '-updated_at',
      }),
    placeholderData: keepPreviousData,
  })
  const items = found.data?.items ?? []
  const total = found.data?.total ?? 0
  const press = (id: number) =>
    many ? setTicked(ticked.includes(id) ? ticked.filter((one) => one !== id) : [...ticked, id]) : setTicked([id])
  return (
    <Dialog
      opened
      size="large"
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            look="primary"
            disabledReason={ticked.length === 0 ? t('media.pickFirst') : undefined}
            onClick={() => onPick([...ticked])}
          >
            {many ? t('media.take', { count: ticked.length }) : t('media.takeOne')}
          </Button>
        </>
      }
    >
      <div className={classes['body']}>
        <TextInput
          type="search"
          value={search}
          onChange={(text) => {
            setSearch(text)
            setPage(1)
          }}
          placeholder={t('media.search')}
          aria-label={t('media.search')}
          data-autofocus
        />
        {mayAdd && <PickerUpload kind={kind} onDone={(id) => onPick(many ? [...ticked, id] : [id])} />}
        {found.error && <Banner tone="danger">{problemText(found.error)}</Banner>}
        {found.isSuccess && items.length === 0 && <p className="muted">{t(words === '' ? 'media.noneYet' : 'form.nothingFound')}</p>}
        <ul className={classes['grid']}>
          {items.map((media) => {
            const name = textOf(media.legend, media.file_name)
            return (
              <li key={media.id}>
                <button
                  type="button"
                  className={classes['choice']}
                  aria-pressed={ticked.includes(media.id)}
                  disabled={taken.includes(media.id)}
                  onClick={() => press(media.id)}
                >
                  <MediaThumb media={media} />
                  <span className="ellipsis">{name}</span>
                </button>
              </li>
            )
          })}
        </ul>
        {total > 25 && (
          <span className="row">
            <Button size="small" disabledReason={page === 1 ? t('list.isFirst') : undefined} onClick={() => setPage(page - 1)}>
              {t('list.previous')}
            </Button>
            <Button size="small" disabledReason={page * 25 >= total ? t('list.isLast') : undefined} onClick={() => setPage(page + 1)}>
              {t('list.next')}
            </Button>
          </span>
        )}
      </div>
    </Dialog>
  )
}
