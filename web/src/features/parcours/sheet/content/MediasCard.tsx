import { useTranslation } from '@/i18n'
import { Card } from '@/ui/Card'
import { MediasField } from '@/ui/form/MediaField'

/** The media of the parcours in their order; the first is its cover. */
export function MediasCard() {
  const { t } = useTranslation('sheet')
  return (
    <Card title={t('medias.title')}>
      <MediasField name="media_ids" label={t('field.media_ids')} hint={t('medias.hint')} cover />
    </Card>
  )
}
