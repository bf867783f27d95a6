import type { Text } from '@/api/types'
import { fold } from '@/ui/text'

const words = (text: string) => text.match(/[\p{L}\p{M}]{3,}/gu) ?? []
/** A name is written with a capital: « une vue claire » names no Claire. */
const isCapital = (word: string) => /^\p{Lu}/u.test(word)

/** The clients that a text names, by one of their names, in any of its languages. */
export function clientsNamed(text: Text, clients: readonly string[]): string[] {
  const namesInText = new Set(
    Object.values(text).flatMap((one) =>
      words(one ?? '')
        .filter(isCapital)
        .map(fold),
    ),
  )
  return [...new Set(clients)].filter((client) => words(client).some((word) => isCapital(word) && namesInText.has(fold(word))))
}
