/** A file of the page. Throws an error that names it. */
export async function opened(url: string, options: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, options).catch((error: Error) => {
    throw new Error(`${url}: ${error.message}`, { cause: error });
  });
  if (!response.ok) throw new Error(`${url}: status ${response.status}`);
  return response;
}
