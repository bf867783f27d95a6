import { AskItem, type AskProps } from '@/records/list/bulk-inputs'
import { labelOf } from '@/records/resource/define'

/** Which category is added. */
export const AskCategory = (props: AskProps) => <AskItem {...props} kind="poi_category" label={labelOf('pois', 'category_ids')} />
/** Which theme is added. */
export const AskTheme = (props: AskProps) => <AskItem {...props} kind="poi_theme" label={labelOf('pois', 'theme_ids')} />
