import { textFor } from '@/i18n'

/** The label of a field of the sheet. */
export const sheetFieldName = (field: string): string => textFor(`sheet:field.${field}`) ?? field
