import { translate } from '@/i18n'
import { RecordInput, TermInput, TextLineInput, type BulkInputProps } from '@/records/list/bulk-inputs'
import { generalLevel } from './facts'

/** The input for the value of each bulk action that needs one. */
export const bulkInputs = {
  set_practice: (props: BulkInputProps) => <TermInput {...props} kind="practice_type" label={translate('parcours:filter.practice')} />,
  set_level: (props: BulkInputProps) => (
    <TermInput {...props} kind="level" keep={generalLevel} label={translate('parcours:filter.level')} />
  ),
  add_media: (props: BulkInputProps) => (
    <RecordInput {...props} resource="media" query={{ kind: 'image' }} label={translate('parcoursBulk:value.photo')} />
  ),
  set_contact: (props: BulkInputProps) => <RecordInput {...props} resource="contact" label={translate('parcoursBulk:value.contact')} />,
  set_copyright: (props: BulkInputProps) => <TextLineInput {...props} max={500} label={translate('parcoursBulk:value.copyright')} />,
  add_theme: (props: BulkInputProps) => <TermInput {...props} kind="parcours_theme" label={translate('parcours:filter.theme')} />,
  add_tag: (props: BulkInputProps) => <TermInput {...props} kind="tag" label={translate('parcoursBulk:value.tag')} />,
  add_itinerary: (props: BulkInputProps) => (
    <RecordInput {...props} resource="itinerary" label={translate('parcoursBulk:value.itinerary')} />
  ),
} as const
