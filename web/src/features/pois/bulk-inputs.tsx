import { TermInput, type BulkInputProps } from '@/records/list/bulk-inputs'
import { labelOf } from '@/records/resource/define'

/** The category to add to the chosen POIs. */
export const CategoryInput = (props: BulkInputProps) => <TermInput {...props} kind="poi_category" label={labelOf('pois', 'category_ids')} />
/** The theme to add to the chosen POIs. */
export const ThemeInput = (props: BulkInputProps) => <TermInput {...props} kind="poi_theme" label={labelOf('pois', 'theme_ids')} />
