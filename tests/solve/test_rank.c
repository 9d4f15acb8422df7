// The rank by Gram and Schmidt against matrices whose rank is known by their making.
#include "solve/algebra/dense.h"
#include "support/check.h"

// Products of a rows x rank and a rank x n matrix, each row scaled anew.
TEST(finds_the_rank_of_products) {
  Random random = random_start("rank of products");
  for (int round = 0; round < test_rounds(100); round++) {
    double A[8 * 6] = {0};
    bool counts[8];
    int rank = round % 7, found = 0;
    for (int k = 0; k < rank; k++) {
      double left[8], right[6];
      for (int r = 0; r < 8; r++) left[r] = random_real(&random, -1, 1);
      for (int i = 0; i < 6; i++) right[i] = random_real(&random, -1, 1);
      for (int r = 0; r < 8; r++) dense_add(6, left[r], right, A + 6 * r);
    }
    for (int r = 0; r < 8; r++) {
      double scale = random_real(&random, 1, 1e6);
      for (int i = 0; i < 6; i++) A[6 * r + i] *= scale;
    }
    assert_int_equal(dense_rank(8, 6, A, 1e-9, counts), rank);
    for (int r = 0; r < 8; r++) {
      assert_int_equal(counts[r], r < rank); // the first rows are independent almost surely
      found += counts[r];
    }
    assert_int_equal(found, rank);
  }
}

RUN_TESTS(cmocka_unit_test(finds_the_rank_of_products))
