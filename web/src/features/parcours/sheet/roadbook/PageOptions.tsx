import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useTranslation } from '@/i18n'
import type { RoadbookPage, RoadbookPageKind } from '@/api/types'
import { Button } from '@/ui/button/Button'
import { CheckField } from '@/records/form/choice-fields'
import { NumberField, TranslatedField } from '@/records/form/fields'
import sheet from '../sheet.module.css'
import { PhotoField } from './PhotoField'
import classes from './roadbook.module.css'

type Option = 'title' | 'text' | 'media_id' | 'count' | 'table' | 'profile'

/** The options of each kind of page. */
const options: Record<RoadbookPageKind, readonly Option[]> = {
  front_cover: ['media_id', 'profile'],
  welcome: ['table'],
  description: ['title', 'text', 'media_id', 'table'],
  overview: ['table', 'profile'],
  map: [],
  profile: [],
  steps: ['table'],
  stay: [],
  photos: ['count'],
  notes: ['title', 'count'],
  voucher: [],
  memo: [],
  back_cover: ['table'],
}

interface Props {
  index: number
  page: RoadbookPage
  name: string
  /** It may be taken out of the list. */
  onRemove: (() => void) | undefined
}

/** The options of one page. */
export function PageOptions({ index, page, name, onRemove }: Props) {
  const { t } = useTranslation('roadbook')
  const at = `pages.${index}`
  const { kind } = page
  const has = (option: Option) => options[kind].includes(option)
  return (
    <section className={classes['options']} aria-label={t('options.of', { name })}>
      <h3>{name}</h3>
      <p className="small muted">{t(`about.${kind}`)}</p>
      <div className={sheet['fields']}>
        {has('media_id') && (
          <PhotoField
            name={`${at}.media_id`}
            label={t('options.photo')}
            empty={t(kind === 'front_cover' ? 'options.mainPhoto' : 'options.noPhoto')}
          />
        )}
        {has('title') && <TranslatedField name={`${at}.title`} label={t('options.title')} max={120} />}
        {has('text') && <TranslatedField name={`${at}.text`} kind="lines" label={t('options.text')} hint={t('options.textHint')} />}
        {has('count') && <NumberField name={`${at}.count`} label={t(kind === 'photos' ? 'options.photosADay' : 'options.notesPages')} />}
        {has('table') && <CheckField name={`${at}.table`} label={t(`options.table.${kind}` as 'options.table.steps')} />}
        {has('profile') && <CheckField name={`${at}.profile`} label={t(`options.profile.${kind}` as 'options.profile.overview')} />}
      </div>
      {onRemove !== undefined && (
        <Button size="small" look="ghost" icon={<IconTrash size={16} stroke={1.75} aria-hidden />} onClick={onRemove}>
          {t('options.remove')}
        </Button>
      )}
    </section>
  )
}
