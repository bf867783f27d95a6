import { toast, toastError } from '@/ui/feedback/toast'

/** Put a text in the clipboard and say it; a browser that refuses is told in words. */
export async function copyText(text: string, words: { done: string; failed: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast({ text: words.done })
  } catch {
    toastError(words.failed)
  }
}
