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

/** The text of an entry of the undo history. `done` is the name of the action, which its object may follow: `edit 12 title fr`. */
export function useActionWords(): (done: string) => string {
  const { t } = useTranslation('trace')
  return (done) => {
    const name = names.find((one) => one === done.split(' ')[0])
    return name ? t(`what.${name}`) : done
  }
}
