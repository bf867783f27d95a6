import { translate } from '@/i18n'
import { AskItem, AskLine, AskRecord, type AskProps } from '@/records/list/bulk-inputs'
import { generalLevel } from './facts'

/** One value that mends what many lack, each asked for in its own way. */
export const asks = {
  set_practice: (props: AskProps) => <AskItem {...props} kind="practice_type" label={translate('parcours:filter.practice')} />,
  set_level: (props: AskProps) => <AskItem {...props} kind="level" keep={generalLevel} label={translate('parcours:filter.level')} />,
  add_media: (props: AskProps) => (
    <AskRecord {...props} resource="media" query={{ kind: 'image' }} label={translate('parcours:bulk.value.photo')} />
  ),
  set_contact: (props: AskProps) => <AskRecord {...props} resource="contact" label={translate('parcours:bulk.value.contact')} />,
  set_copyright: (props: AskProps) => <AskLine {...props} max={500} label={translate('parcours:bulk.value.copyright')} />,
  add_theme: (props: AskProps) => <AskItem {...props} kind="parcours_theme" label={translate('parcours:filter.theme')} />,
  add_tag: (props: AskProps) => <AskItem {...props} kind="tag" label={translate('parcours:bulk.value.tag')} />,
  add_itinerary: (props: AskProps) => <AskRecord {...props} resource="itinerary" label={translate('parcours:bulk.value.itinerary')} />,
} as const
