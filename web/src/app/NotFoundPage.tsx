export function NotFoundPage() {
  return <main><h1>404</h1></main>
}
