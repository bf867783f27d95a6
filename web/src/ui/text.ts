/** A text to compare or search by: without accents or capitals, so that « Équipé » is found by « equipe ». */
export const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** A text with a capital at its beginning. */
export const capitalized = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)
