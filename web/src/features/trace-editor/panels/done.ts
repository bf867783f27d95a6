import { useTranslation } from '@/i18n'

const names = [
  'add',
  'move',
  'bend',
  'remove',
  'edit',
  'reorder',
  'reverse',
  'cut',
  'split',
  'trim',
  'join',
  'close',
  'free',
  'follow',
  'keep',
  'again',
  'ignore',
  'heed',
  'past',
  'original',
  'profile',
  'mode',
  'typed',
  'import',
  'draft',
  'saved',
  'theirs',
  'open',
  'way',
  'avoid',
  'loop',
] as const

/** The words of what was done: its name may be followed by what it was done to (`edit 12 title fr`). */
export function useDone(): (done: string) => string {
  const { t } = useTranslation('trace')
  return (done) => {
    const name = names.find((one) => one === done.split(' ')[0])
    return name ? t(`what.${name}`) : done
  }
}
