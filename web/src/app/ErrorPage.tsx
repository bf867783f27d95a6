export function ErrorPage({ error }: { error: unknown }) {
  return <main><h1>{String(error)}</h1></main>
}
