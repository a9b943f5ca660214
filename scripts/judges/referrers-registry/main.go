// A registry in memory that lists referrers by itself (distribution-spec "Listing Referrers"), which those that Debian has do
// not: referrers-registry HOST:PORT. It prints its URL, and serves until it is killed.
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"cuelabs.dev/go/oci/ociregistry/ocimem"
	"cuelabs.dev/go/oci/ociregistry/ociserver"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: referrers-registry HOST:PORT")
	}
	listener, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	// An index may come without the platforms that were left out of it.
	content := ocimem.NewWithConfig(&ocimem.Config{LaxChildReferences: true})
	log.Fatal(http.Serve(listener, ociserver.New(content, nil)))
}
