import { toast, toastError } from '@/ui/feedback/toast'

/** Copies a text to the clipboard and confirms it; a message says so when the browser refuses. */
export async function copyText(text: string, words: { done: string; failed: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ text: words.done })
  } catch {
    toastError(words.failed)
  }
}
